#!/bin/bash
# Prints a mapping of Vulkan's instructions to themselves, but for operations on the device's domain.
# shellcheck disable=SC2016 # `$S` and others are words of mappings
printf '%s\n' 'source Vulkan target Vulkan' 'load vis : ld.vis.$S.$C' 'load nonpriv : ld.nonpriv.$C' \
  'store av : st.av.$S.$C' 'store nonpriv : st.nonpriv.$C'
rows () {  # ORDER SEMANTICS: rows are selected by both
  local order=${1:+.$1} semantics=${2// /.}
  semantics=${semantics:+.$semantics}
  case $1,$2 in ,*semav*|acq,*semav*|rel,*|acq_rel,*) ;; *) echo "load atom $1 $2 : ld.atom$order.\$S.\$C.\$M$semantics" ;; esac
  case $1,$2 in ,*semvis*|rel,*semvis*|acq,*|acq_rel,*) ;; *) echo "store atom $1 $2 : st.atom$order.\$S.\$C.\$M$semantics" ;; esac
  echo "rmw $1 $2 : rmw.atom$order.\$S.\$C.\$M$semantics.\$O"
  if [ -n "$1" ]; then echo "membar $1 $2 : membar$order.\$S.\$M$semantics"; fi
  echo "cbar $1 $2 : cbar$order.\$S.\$M$semantics"
}
for semantics in 'semav semvis' semav semvis ''; do
  for order in acq_rel acq rel ''; do rows "$order" "$semantics"; done
done
printf '%s\n' 'load : ld.$C' 'store : st.$C'
