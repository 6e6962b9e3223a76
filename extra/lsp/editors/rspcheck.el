;;; rspcheck.el --- litmus tests and memory models  -*- lexical-binding: t -*-

;; Emacs 29 or later, or eglot: `M-x eglot' in a test, model, mapping or kernel starts `rspcheck -lsp'.
;; (require 'rspcheck) from where this file lies; (add-hook 'rspcheck-mode-hook #'eglot-ensure), and the same for
;; rspcheck-kernel-mode-hook, starts it by itself.

;;; Code:

(define-derived-mode rspcheck-mode prog-mode "rspcheck"
  "Litmus tests, models in cat, and mappings."
  (setq-local comment-start "(* " comment-end " *)"))

(add-to-list 'auto-mode-alist '("\\.\\(litmus\\|cat\\|map\\)\\'" . rspcheck-mode))

(define-derived-mode rspcheck-kernel-mode c-mode "OpenCL C"
  "Kernels of OpenCL C, and compute shaders of GLSL.")

(add-to-list 'auto-mode-alist '("\\.\\(cl\\|comp\\)\\'" . rspcheck-kernel-mode))

(define-derived-mode rspcheck-module-mode prog-mode "SPIR-V"
  "Modules of SPIR-V."
  (setq-local comment-start "; "))

(add-to-list 'auto-mode-alist '("\\.spvasm\\'" . rspcheck-module-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((rspcheck-mode rspcheck-kernel-mode rspcheck-module-mode) "rspcheck" "-lsp")))

(provide 'rspcheck)
;;; rspcheck.el ends here
