# The hashes of hash.litmus and hash-types.litmus, part by part, as herd7 puts them together.
from hashlib import md5


def part(text):
    return md5(text.encode()).digest()


def show(initial, code, observed):
    print("Hash=" + md5(part(initial) + part(code) + part(observed)).hexdigest())


show("x=0; y=1",
     " P0(_Atomic int* x, volatile int* y) {\n\n  *y = 1; // as written\n\n}\n "
     "| P1(_Atomic int* x) {\n int r0 = atomic_load(x); \n}\n ;\n",
     "1:r0; x")
# Declared types, as one word where that is one; numbers as written; arrays without their values. Elements of
# arrays come after all else, by their numbers.
show("0:r1=-1; int 0:r2=07; _Atomic int a=0x0F; atomic_int b=0; int *p=x; *q=y; int v[2]; uint8_t w=255; x=0x10; "
     "int y=1; int *z=y; uint64_t zz[12]",
     " P0(_Atomic int* a, _Atomic int volatile* b, uint8_t* w, int const* x, int* y) {\n *y = *x; \n}\n ;\n",
     "0:r1; v; x; zz[2]; zz[10]")
