#version 450
// A sum in shared memory. -D NO_BARRIER leaves out what orders the halves.
layout (local_size_x = 4) in;
layout (binding = 0) buffer In { uint values[]; };
layout (binding = 1) buffer Out { uint sums[]; };
shared uint part[4];

void main () {
  uint i = gl_LocalInvocationIndex;
  part[i] = values[gl_GlobalInvocationID.x] + 1;
  for (uint half_of = 2; half_of > 0; half_of /= 2) {
#ifndef NO_BARRIER
    barrier ();
#endif
    if (i < half_of)
      part[i] += part[i + half_of];
  }
  if (i == 0)
    sums[gl_WorkGroupID.x] = part[0];
}
