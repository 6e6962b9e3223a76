# The hash of hash.litmus, part by part, as herd7 puts it together.
from hashlib import md5


def part(text):
    return md5(text.encode()).digest()


code = (" P0(_Atomic int* x, volatile int* y) {\n\n  *y = 1; // as written\n\n}\n "
        "| P1(_Atomic int* x) {\n int r0 = atomic_load(x); \n}\n ;\n")
print("Hash=" + md5(part("x=0; y=1") + part(code) + part("1:r0; x")).hexdigest())
