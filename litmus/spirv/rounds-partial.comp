#version 450
// Work-items of a sub-group are together at an operation in the same round of each loop around it. ITEM races with another one unless
// it counts WANT in the loops of this KIND.
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout (local_size_x = 4) in;
layout (std430, binding = 0) buffer X { uint x[4]; };
uint i = gl_SubgroupInvocationID, seen = 0;

uint twice () {
  uint sum = 0;
  for (uint k = 0; k < 2; k++)
    sum += 10 * subgroupAdd (1);
  return sum;
}

void main () {
  if (KIND == 0) for (uint r = 0; r <= i; r++) seen = seen * 10 + subgroupAdd (1);
  if (KIND == 1) for (uint r = 0; r < 3; r++) {
    if (r != 1 && i % 2 == 1) continue;
    seen = seen * 10 + subgroupAdd (1);
  }
  if (KIND == 2) for (uint r = 0; r < 2; r++) for (uint q = 0; q <= i; q++) seen = seen * 10 + subgroupAdd (1);
  if (KIND == 3) for (uint r = 0; r < 2; r++) if (i != r) seen = seen * 100 + twice ();
  if (KIND == 4) for (uint r = 0;; r++) if (r == i) { seen = 10 * subgroupAdd (1); break; }
  if (KIND == 4) seen += subgroupAdd (1);
  uint own = i == ITEM && seen != WANT ? (i + 1) % 4 : i;
  x[own] = i;
}
