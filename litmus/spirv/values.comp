#version 450
// What operations give: two work-items race unless CHECK holds.
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout (local_size_x = 2) in;
layout (std430, binding = 0) buffer X { uint x[]; };
layout (std430, binding = 1) buffer Y { uint n, y[]; };

void main () {
  uint i = gl_LocalInvocationIndex, high, low, carry, borrow;
  umulExtended (0xfffffffeu, 3u + i, high, low);
  uint sum = uaddCarry (~i, 2u, carry), left = usubBorrow (i, 1u, borrow);
  if (n == 0)
    x[CHECK ? i : 0] = 1;
}
