#version 450
#extension GL_EXT_shader_atomic_float : enable
#extension GL_EXT_shader_atomic_float2 : enable
// Floating-point numbers that several work-items add to, and take the smallest and greatest of. With -D PLAIN=1 one of them reads the
// sum by no atomic operation.
layout (local_size_x = 2) in;
layout (set = 0, binding = 0) buffer Memory { float sum, least, most; };
layout (set = 0, binding = 1) buffer Seen { uint seen[2]; };

void main () {
  const uint i = gl_LocalInvocationIndex;
  const float before = atomicAdd (sum, 1.5);
  atomicMin (least, -1.0 - i);
  atomicMax (most, 1.0 + i);
#ifdef PLAIN
  if (i == 1)
    seen[1] = sum == 3.0 ? 1 : 0;
#else
  seen[i] = before == 0.0 ? 0 : before == 1.5 ? 1 : 2;
#endif
}
