/* The worker: first { module, installed }, then one request per run. */
let given = null;
onmessage = async ({ data: message }) => {
  if (given === null)
    given = message;
  else
    postMessage ({ answer: await runOnce (makeRspcheck, given.module, given.installed, message, (event, what) => postMessage ({ event, what })) });
};
