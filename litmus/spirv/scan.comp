#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
// Each work-item takes as many elements as its number says, from where the sum of those before it ends: no two have one in common.
// -D FROM=...: they begin elsewhere. -D READ=1: an operation of the sub-group orders no memory. -D SOME=1: not all come to it.
layout (local_size_x = 3) in;
layout (set = 0, binding = 0) buffer Memory { uint words[]; };
#ifndef FROM
#define FROM subgroupExclusiveAdd (n)
#endif

void main () {
  const uint n = gl_SubgroupInvocationID + 1;
#ifdef SOME
  if (n > 1)
    words[n] = subgroupAdd (n);
#else
  const uint from = FROM;
  words[from] = 1;
  words[from + n - 1] = n;
#endif
#ifdef READ
  if (subgroupBroadcastFirst (n) != 1 || words[1] == 0)
    words[9 + n] = n;
#endif
}
