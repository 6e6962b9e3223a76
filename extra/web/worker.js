/* The worker: first { module, installed }, then one request per run. */
let given = null;
onmessage = async ({ data: message }) => {
  if (given === null)
    {
      const encoder = new TextEncoder ();
      given = { ...message, installed: Object.fromEntries (Object.entries (message.installed).map (([path, text]) => [path, encoder.encode (text)])) };
    }
  else
    postMessage ({ answer: await runOnce (makeRspcheck, given.module, given.installed, message, (event, what) => postMessage ({ event, what })) });
};
