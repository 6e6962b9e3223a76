#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_null_initializer : require
#pragma use_vulkan_memory_model
// Who waits for whom decides which schedulers' promises are enough. The first work-group, by its id or (-D GROUP_TICKET) of those that
// begin, releases the other one; in each, the first work-item, by its id or (-D ITEM_TICKET) of those that begin, releases the other one.
// -D ALONE: only one work-item of each work-group takes part.
layout (local_size_x = 2) in;
layout (binding = 0) buffer Far { uint far_flag; uint groups; };
shared uint near_flag = {}, items = {}, number;

void main () {
  uint item = gl_LocalInvocationID.x, group = gl_WorkGroupID.x;
#if defined GROUP_TICKET
  if (item == 0)
    number = atomicAdd (groups, 1u, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  controlBarrier (gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  group = number;
#elif defined ALONE
  controlBarrier (gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
#endif
#ifdef ITEM_TICKET
  item = atomicAdd (items, 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
#endif
#ifdef ALONE
  if (item == 0) {
    if (group == 0)
      atomicStore (far_flag, 1u, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
    else
      while (atomicLoad (far_flag, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 0)
        ;
  }
#else
  if (group == 1)
    while (atomicLoad (far_flag, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 0)
      ;
  if (item == 0)
    atomicStore (near_flag, 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
  else {
    while (atomicLoad (near_flag, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire) == 0)
      ;
    if (group == 0)
      atomicStore (far_flag, 1u, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  }
#endif
}
