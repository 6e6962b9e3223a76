#version 450
// All work-items but the first one come to the operation FROM. One of them, ITEM, races with the first one unless it gives WANT there.
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_KHR_shader_subgroup_clustered : enable
layout (local_size_x = 4) in;
layout (std430, binding = 0) buffer X { uint x[4]; };

void main () {
  uint i = gl_SubgroupInvocationID;
  if (i == 0)
    x[0] = 2;
  else {
    uint seen = FROM;
    if (i != ITEM)
      x[i] = 1;
    else x[seen == WANT ? i : 0] = 1;
  }
}
