/* The worker: first { module, installed }, then one { args, files, wanted, input } per run. */
let given = null;
onmessage = async ({ data: message }) => {
  if (given === null)
    given = message;
  else
    postMessage (await runOnce (makeRspcheck, given.module, given.installed, message));
};
