#version 450
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
// A message between two work-groups. -D ACQUIRE=0 and -D RELEASE=0 weaken the flag's accesses.
#ifndef ACQUIRE
#define ACQUIRE gl_SemanticsAcquire
#endif
#ifndef RELEASE
#define RELEASE gl_SemanticsRelease
#endif
#define CLASS gl_StorageSemanticsBuffer
layout (local_size_x = 1) in;
layout (binding = 0) queuefamilycoherent buffer Data { uint data; };
layout (binding = 1) buffer Flag { uint flag; };
layout (binding = 2) buffer Seen { uint seen; };

void main () {
  if (gl_WorkGroupID.x == 0) {
    data = 42;
    atomicStore (flag, 1u, gl_ScopeQueueFamily, RELEASE == 0 ? 0 : CLASS, RELEASE);
  } else if (atomicLoad (flag, gl_ScopeQueueFamily, ACQUIRE == 0 ? 0 : CLASS, ACQUIRE) == 1)
    seen = data;
}
