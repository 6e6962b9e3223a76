#version 450
// A message within a work-group, without the memory model of Vulkan. -D WORD= leaves out `coherent`, -D FENCE= the fences.
#ifndef WORD
#define WORD coherent
#endif
#ifndef FENCE
#define FENCE memoryBarrierBuffer ();
#endif
layout (local_size_x = 2) in;
layout (binding = 0) WORD buffer Data { uint data; };
layout (binding = 1) buffer Flag { uint flag; };
layout (binding = 2) buffer Seen { uint seen; };

void main () {
  if (gl_LocalInvocationIndex == 0) {
    data = 1;
    FENCE
    atomicExchange (flag, 1);
  } else if (atomicAdd (flag, 0) == 1) {
    FENCE
    seen = data;
  }
}
