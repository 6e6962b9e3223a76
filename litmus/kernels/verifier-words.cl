// Words of verifiers' annotations: those that can be checked by running are.
DECLARE_UF_BINARY (op, int, int, int)
DECLARE_UF_UNARY (code, unsigned int, unsigned int)
__axiom (N > 1)

__kernel void sum (__global int *a, __local int *t)
{
  __requires (get_local_size (0) == 2);
  __ensures (__implies (__enabled (), a[get_global_id (0)] == LAST));
  int l = get_local_id (0);
  for (int i = 0;
       __invariant (i <= MOST), __invariant (__write_implies (t, __write_offset_bytes (t) / sizeof (int) == l)),
       __global_invariant (__uniform_bool (__dominator_enabled ())), __candidate_invariant (i == 4),
       __invariant (__is_pow2 (N) & __mod_pow2 (i, 2) < 2 & __ite (i > 1, 1, 2) > 0),
       __invariant (__same_group | __add_noovfl (i, 3)), __unsafe_assert (op (i, 1) == op (i, 1)),
       i < N; i++)
    t[l] = __add (i, l);
  __function_wide_invariant (l < 2);
  __barrier_invariant_1 (t[l] == 1 + l, l);
  __read_permission (t[l]);
  __read_permission (int, t[l]);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (code (1) != code (1))
    return;
  a[get_global_id (0)] = t[1 - l] + t[l];
}
