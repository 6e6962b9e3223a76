// Images and samplers may be declared, and read: the same place has the same value.
#version 450
layout (local_size_x = 2) in;
layout (binding = 0) uniform sampler2D both;
layout (binding = 1, r32ui) uniform readonly uimage2D plane;
layout (binding = 2) uniform texture2D alone;
layout (binding = 3) uniform sampler way;
layout (binding = 4) uniform sampler2D several[4];
layout (binding = 5, r32ui) uniform writeonly uimage2D unused;
layout (binding = 6) buffer Out { uint x[4]; };
#ifndef INDEX
#define INDEX 0
#endif
void main () {
  uint me = gl_LocalInvocationIndex;
  float some = texelFetch (both, ivec2 (me, 1), 0).x + textureLod (sampler2D (alone, way), vec2 (0), 0.0).y
               + textureLod (several[1], vec2 (0), 0.0).x + textureLod (several[me], vec2 (0), 0.0).x;
  uint here = imageLoad (plane, ivec2 (1, 2)).x, there = imageLoad (plane, ivec2 (1, 2 + INDEX)).x;
  bool wide = textureSize (both, 0).x > 4;
  if (here == there)
    x[me] = uint (some) + uint (wide);
  else
    x[0] = here;
}
