-- Neovim (0.7 or later): starts `rspcheck -lsp` for tests, models, mappings and kernels. Installed as a plugin; from a
-- checkout: nvim -c 'luafile extra/lsp/editors/rspcheck.lua' FILE. vim.g.rspcheck_command replaces the command, and
-- vim.g.rspcheck_models (a list) the models whose verdicts are shown over tests.
local types = { litmus = "litmus", cat = "cat", map = "rspcheck-map", cl = "opencl", comp = "glsl", spvasm = "spvasm" }
local client, ready

local function refresh () -- the lenses; an error while the server is not ready
  if ready then vim.lsp.codelens.refresh () end
end

local function attach ()
  local filetype = types[vim.fn.expand ("%:e")]
  if not filetype then return end
  vim.bo.filetype = filetype
  client = client or vim.lsp.start_client ({
    name = "rspcheck",
    cmd = vim.g.rspcheck_command or { "rspcheck", "-lsp" },
    root_dir = vim.fn.getcwd (),
    init_options = { models = vim.g.rspcheck_models or {} },
    on_attach = function () ready = true; refresh () end,
    on_exit = function () client, ready = nil, nil end,
  })
  if client then
    vim.lsp.buf_attach_client (0, client)
  end
end

vim.api.nvim_create_autocmd ({ "BufRead", "BufNewFile" }, { pattern = { "*.litmus", "*.cat", "*.map", "*.machine", "*.cl", "*.comp", "*.spvasm" }, callback = attach })
vim.api.nvim_create_autocmd ({ "BufEnter", "InsertLeave", "BufWritePost" }, { pattern = { "*.litmus", "*.cat" }, callback = refresh })
for _, buffer in ipairs (vim.api.nvim_list_bufs ()) do -- what was opened before
  if vim.api.nvim_buf_is_loaded (buffer) then vim.api.nvim_buf_call (buffer, attach) end
end
