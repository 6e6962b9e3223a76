#version 450
// A histogram. -D PLAIN: additions of one bin race.
layout (local_size_x = 2) in;
layout (binding = 0) readonly buffer In { uint values[]; };
layout (binding = 1) buffer Out { uint bins[4]; };

void main () {
  uint bin = values[gl_GlobalInvocationID.x] % 4;
#ifdef PLAIN
  bins[bin]++;
#else
  atomicAdd (bins[bin], 1);
#endif
}
