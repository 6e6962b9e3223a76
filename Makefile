# rspcheck: `make` builds ./rspcheck and librspcheck.a; `make help` lists the rest.

VERSION    := 0.1.0
comma      := ,
SOVERSION  := 0
PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR    ?= $(PREFIX)/share
DESTDIR    ?=
CC         ?= cc
# For debuggers lines and functions; variables, which are a seventh of the build, with DEBUG=1.
CFLAGS     ?= -O2 -g1
FLEX       ?= flex
BISON      ?= bison
OBJCOPY    ?= objcopy
LIB_PACKAGES := glib-2.0 gobject-2.0 zlib
PACKAGES   := gthread-2.0 $(LIB_PACKAGES)
# What cannot be built without ends make here, except for goals that install it or do not need it.
ifneq ($(filter-out help deps demo check check-all clean format dist,$(or $(MAKECMDGOALS),all)),)
MISSING    := $(shell CC='$(CC)' FLEX='$(FLEX)' BISON='$(BISON)' scripts/deps.sh required)
$(if $(MISSING),$(error missing (as Debian names it): $(MISSING). `scripts/deps.sh build` installs what rspcheck is built with))
endif
# -confined needs libseccomp, and -serve, which runs its checks so, also libsoup; `make SECCOMP=` and `make SOUP=` leave
# them out, as does a machine without these.
SECCOMP    := $(shell pkg-config --exists libseccomp 2>/dev/null && echo libseccomp)
SOUP       := $(if $(SECCOMP),$(shell pkg-config --exists 'libsoup-3.0 >= 3.2' 2>/dev/null && echo libsoup-3.0))
# SPIR-V is read by SPIRV-Tools, whose instructions have names in spirv-headers; `make SPIRV=` leaves it out.
SPIRV      := $(shell pkg-config --exists SPIRV-Tools 2>/dev/null && $(CC) -fsyntax-only -include spirv/unified1/spirv.h -x c /dev/null 2>/dev/null && echo yes)
PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) gio-2.0 $(SOUP) $(SECCOMP) libgvc libcgraph 2>/dev/null)

# All processors, unless `make` was called with -j itself.
jobs        = $(if $(filter --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

# $(call run,CC,FILE)COMMAND: shows a line `CC FILE` for the command, or all of it with V=1, nothing
# with -s.
V          ?=
ifneq ($(filter-out 0,$(V)),)
run         =
else ifneq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
run         = @
else
run         = @printf '%-5s %s\n' $(1) '$(2)';
endif

# SANITIZE=1 builds everything, apart from the ordinary build, under the address and
# undefined-behaviour sanitizers; SANITIZE=thread under the thread sanitizer.
SANITIZE   ?=
ifeq ($(SANITIZE),thread)
BUILD      := build-tsan
SANFLAGS   := -fsanitize=thread -fno-omit-frame-pointer
CFLAGS     := -Og -g1
PROGRAM    := $(BUILD)/rspcheck
LIBRARY    := $(BUILD)/librspcheck.a
TSAN_OBJ   := $(BUILD)/tests/tsan/glib.o
else ifeq ($(SANITIZE),fuzz)
BUILD      := build-fuzz
CC         := clang
SANFLAGS   := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer \
              -Wno-gnu-variable-sized-type-not-at-end -Wno-missing-field-initializers
CFLAGS     := -O1 -g
PROGRAM    := $(BUILD)/rspcheck
LIBRARY    := $(BUILD)/librspcheck.a
else ifneq ($(SANITIZE),)
BUILD      := build-sanitize
# An address out of bounds is found when it is used; to check each that is computed takes a sixth of the build.
SANFLAGS   := -fsanitize=address,undefined -fno-sanitize=pointer-overflow,object-size -fno-sanitize-recover=all -fno-omit-frame-pointer
# Where the program lies is fixed: to move ten megabytes of addresses takes a third of a start.
SANFLAGS   += -fno-pie
override LDFLAGS += -no-pie
ifeq ($(findstring clang,$(CC)),)
override LDFLAGS += -static-libasan -static-libubsan # an eighth of a start
endif
CFLAGS     := -Og -g1
PROGRAM    := $(BUILD)/rspcheck
LIBRARY    := $(BUILD)/librspcheck.a
else
BUILD      := build
SANFLAGS   :=
PROGRAM    := rspcheck
LIBRARY    := librspcheck.a
endif

# DEBUG=1: not optimised, with contracts of functions checked (base/base.h), as in the
# builds with sanitizers.
ifneq ($(DEBUG),)
BUILD      := build-debug
CFLAGS     := -O0 -g3
PROGRAM    := $(BUILD)/rspcheck
LIBRARY    := $(BUILD)/librspcheck.a
endif
# COVERAGE=1: not optimised, in build-coverage; every run adds to its counts of lines (make coverage).
ifneq ($(COVERAGE),)
BUILD      := build-coverage
CFLAGS     := -O0 -g --coverage -fprofile-update=atomic
PROGRAM    := $(BUILD)/rspcheck
LIBRARY    := $(BUILD)/librspcheck.a
endif
# WITHOUT="extra/synth extra/lsp": the program without these folders, and those that need them, is
# $(BUILD)-without/rspcheck. Only what lists the folders is compiled again.
WITHOUT    ?=
ROWS       := $(BUILD)$(if $(WITHOUT),-without)
ifneq ($(WITHOUT),)
PROGRAM    := $(ROWS)/rspcheck
endif
CONTRACTS  := $(if $(SANITIZE)$(DEBUG),-DRSP_CHECK_CONTRACTS)

# The ordinary build is hardened, unless CFLAGS say how (as Debian's do), and does not depend on the folder that it is built in.
ifeq ($(BUILD),build)
HARDEN     := -fPIE -fstack-protector-strong -ffile-prefix-map=$(CURDIR)=. \
              $(if $(findstring FORTIFY,$(CFLAGS) $(CC)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARDEN_LD  := -Wl,-z,relro,-z,now
PIE        := -pie
endif
WARNINGS   := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ALL_CFLAGS  = -std=c11 -D_GNU_SOURCE -DRSP_VERSION='"$(VERSION)"' \
              -I. -Iapi -Ipublic -I$(BUILD) -I$(BUILD)/generated $(WARNINGS) $(CONTRACTS) $(SANFLAGS) $(HARDEN) $(CFLAGS) \
              $(PACKAGE_CFLAGS) $(if $(SOUP),-DRSP_SERVES) $(if $(SECCOMP),-DRSP_CONFINES)
# The SAT solver of -engine sat, if its library is there (make CADICAL= leaves it out). It and the C++ library are
# linked in, so that a program that does not use it starts as fast, and users of the library need not know.
CADICAL    ?= $(shell $(CC) -fsyntax-only -include ccadical.h -x c /dev/null 2>/dev/null && echo yes)
STATIC_LIBS = $(if $(1),-Wl$(comma)-Bstatic $(1) -lstdc++ -Wl$(comma)-Bdynamic)
SAT_LIBS   := $(call STATIC_LIBS,$(if $(CADICAL),-lcadical))
SAT_FILES  := $(if $(CADICAL),$(foreach l,cadical stdc++,$(shell $(CC) -print-file-name=lib$(l).a)))
LDLIBS      = $(call STATIC_LIBS,$(strip $(if $(CADICAL),-lcadical) $(if $(SPIRV),-lSPIRV-Tools))) $(shell pkg-config --libs $(PACKAGES)) -lm
# The program loads Graphviz, libsoup, libseccomp and GIO when they are needed (cli/lazy.c), each by its SONAME: $(call soname,PACKAGE,NAME).
# libgcc, which the solver needs, is linked in like the solver: every library that is loaded costs a tenth of a millisecond.
PROGRAM_LIBS = $(LDLIBS) -ldl $(if $(SANITIZE),,-static-libgcc)
soname      = $(shell readelf -d "$$(pkg-config --variable=libdir $(1))/lib$(2).so" 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')

LIB_DIRS   := base lexer parser parser/c parser/litmus parser/columns parser/kernel parser/resolve parser/cat parser/map \
              model model/type model/stage model/dag model/bounds model/warn \
              enumerator enumerator/terms enumerator/values enumerator/paths enumerator/search enumerator/bounded enumerator/sat \
              enumerator/query explain report report/page api
# The folders that bring something to the program, by the rows of cli/extras.def.
EXTRA_ROWS := $(shell sed -n 's/ //g;s/^EXTRA(\(.*\))$$/\1/p' cli/extras.def)
# $(call left_out,FOLDERS): these, and those that need them.
left_out    = $(sort $(1) $(foreach row,$(EXTRA_ROWS),$(if $(filter $(1),$(addprefix extra/,$(wordlist 2,9,$(subst $(comma), ,$(row))))),extra/$(firstword $(subst $(comma), ,$(row))))))
LEFT_OUT   := $(call left_out,$(call left_out,$(WITHOUT:%/=%)))
EXTRA      := $(filter-out $(LEFT_OUT),$(addprefix extra/,$(foreach row,$(EXTRA_ROWS),$(firstword $(subst $(comma), ,$(row))))))
CLI_DIRS   := cli $(EXTRA)
LEX        := $(wildcard lexer/*.l)
YACC       := $(wildcard parser/*/*.y)
EXTRA_DEF  := $(ROWS)/generated/cli/extras.def
TOKENS     := $(YACC:parser/%/grammar.y=$(BUILD)/generated/lexer/%_tokens.h)
PAGE       := $(BUILD)/generated/report/page_template.c
LIBRARY_CAT := $(BUILD)/generated/model/library.c
TEMPLATES  := $(BUILD)/generated/extra/hardware/templates.c
SERVE_PAGE := $(BUILD)/generated/extra/serve/workbench.c
# What is made of files in extra/, for the folders that are there.
EXTRA_MADE := $(foreach d,$(EXTRA),$(patsubst %.l,$(BUILD)/generated/%.c,$(wildcard $(d)/*.l)) $(patsubst %.y,$(BUILD)/generated/%.c,$(wildcard $(d)/*.y))) \
              $(if $(filter extra/hardware,$(EXTRA)),$(TEMPLATES)) $(if $(filter extra/serve,$(EXTRA)),$(if $(SOUP),$(SERVE_PAGE)))
NEWS       := $(BUILD)/generated/cli/version.h
SONAMES    := $(BUILD)/generated/cli/sonames.h
GENERATED  := $(LEX:%.l=$(BUILD)/generated/%.c) $(YACC:%.y=$(BUILD)/generated/%.c) $(PAGE) $(LIBRARY_CAT)
LIB_SRC    := $(foreach d,$(LIB_DIRS),$(wildcard $(d)/*.c))
LIB_OBJ    := $(LIB_SRC:%.c=$(BUILD)/%.o) $(GENERATED:%.c=%.o)
CLI_SRC    := $(filter-out extra/serve/$(if $(SOUP),absent,serve).c $(if $(SPIRV),extra/spirv/absent.c,$(filter-out %/absent.c,$(wildcard extra/spirv/*.c))),$(foreach d,$(CLI_DIRS),$(wildcard $(d)/*.c)))
CLI_OBJ    := $(patsubst %.c,$(BUILD)/%.o,$(filter-out cli/extra.c,$(CLI_SRC))) $(ROWS)/cli/extra.o $(EXTRA_MADE:%.c=%.o)
DIFF       := $(BUILD)/differential
THEOREMS   := $(BUILD)/theorems
RANDOM_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/random/*.c))
RANDOM_GEN := $(filter-out %/differential.o %/theorems.o,$(RANDOM_OBJ))
# Without those of folders that are not there.
UNIT_FAR   := $(sort $(foreach f,$(filter-out $(EXTRA),$(shell sed -n 's|^#include "\(extra/[a-z]*\)/.*|\1|p' tests/unit/*.c)),$(shell grep -l '"$(f)/' tests/unit/*.c)))
UNIT_SRC   := $(filter-out $(UNIT_FAR) tests/unit/main.c,$(wildcard tests/unit/*.c))
UNIT_OBJ   := $(UNIT_SRC:%.c=$(BUILD)/%.o) $(ROWS)/tests/unit/main.o
UNIT       := $(ROWS)/unit-tests
LIB_CFLAGS := -fPIC -fvisibility=hidden
API        := 0.1
API_HEADERS := public/rspcheck-enums.h api/rspcheck.h $(wildcard api/rspcheck-*.h)
SHARED     := $(BUILD)/librspcheck.so
GI         ?= $(shell pkg-config --exists gobject-introspection-1.0 2>/dev/null && command -v g-ir-scanner)
GIR        := $(BUILD)/Rspcheck-$(API).gir
TYPELIB    := $(BUILD)/Rspcheck-$(API).typelib

# $(call link_shared,FILE,OBJECTS)
link_shared = $(CC) -shared $(ALL_CFLAGS) $(HARDEN_LD) $(LDFLAGS) -Wl,-soname,librspcheck.so.$(SOVERSION) -Wl,-z,defs -Wl,--as-needed \
              -Wl,--version-script=api/rspcheck.map -o $(1) $(2) $(SAT_LIBS) $(shell pkg-config --libs $(LIB_PACKAGES)) -lm
# $(call link_static,FILE,OBJECTS,OBJECT): by way of one object that exports the functions of rspcheck.h and
# nothing else; what the parts call each other by stays inside.
link_static = $(LD) -r -o $(3) $(2) $(SAT_FILES) && $(OBJCOPY) --wildcard --keep-global-symbol='rspcheck_*' $(3) \
              && rm -f $(1) && $(AR) rcs $(1) $(3)


.PHONY: changed screenshot bench-machine all check check-all check-quick check-programs check-threads demo bench bench-rate docs pictures promote install uninstall format lint clean deps help fuzz fuzz-release fuzz-stored fuzz-diff mutants coverage
.SECONDARY:

all: $(PROGRAM) $(LIBRARY)

help:
	@sed -n 's/^## //p' $(filter %Makefile %.mk,$(MAKEFILE_LIST))

## make                  build ./rspcheck and librspcheck.a
## make V=1 …            the same, with every command in full
## make check            install what is missing, build, run the tests (3 to 9 minutes on two cores)
## make check-all        the same with all tests: random ones, sanitizers, static checks (20 to 40 minutes)
## make deps             install what all of these need; make demo and make check install only what they need
## make check-quick      build, and what is tested between commits (a minute on two cores)
## make demo             install what is missing, build, check one litmus test
## make SANITIZE=1 …     the same under the address and undefined-behaviour sanitizers
## make DEBUG=1 …        the same without optimisation, in build-debug, with contracts checked
## make WITHOUT="F …"    the program without these folders of extra/, build-without/rspcheck
## make check-programs   build what tests run, among it build/unit-tests
## make check-threads    run tests on several threads under the thread sanitizer
## make bench            time the engine on parametric families, in seconds of the processor (PEER='command' compares)
## make bench-machine    time the search of machines; measure what promotion saves a queue's owner
## make bench-rate       time 5,000 random tests under four models; compare -j 1 with -j 4
## make mutants          change one line of the sources at a time: do the tests notice? (an hour or more)
## make coverage         find the lines that tests run, with gcov; the share of each folder
## make lint             static checks: clang, clang-tidy, cppcheck, shellcheck, layout
## make fuzz TIME=60     fuzz all inputs, and both engines, with libFuzzer, TIME seconds per target (clang)
## make fuzz-release     the same for an hour per target, before a release
## make fuzz-stored      the same for a moment, without libFuzzer: stored inputs, under the sanitizers
## make fuzz-diff N=…    compare the naive and the bounded engine on N random tests
## make editors          completion for shells, syntax files for Vim and Visual Studio Code, in build/
## make html             the guides as HTML, in build/html
## make install          into PREFIX (default /usr/local), below DESTDIR; make uninstall
## make dist             an archive of what is committed, build/rspcheck-VERSION.tar.xz
## make deb              Debian packages from it, in build/deb
## make check-packages   the same, with lintian, installed and run in a bare Debian (root; some minutes)
## make docs             write what is generated in docs/: the man page, tables of words and names
## make pictures         draw the RSP suite on a page, build/pictures.html
## make screenshot       take README's pictures, docs/page.png and docs/workbench.png (Chromium)
## make promote          accept what the golden and error tests print as expected, showing the change
## make format, clean    lay out the sources; remove everything built

$(PROGRAM): $(CLI_OBJ) $(TSAN_OBJ) $(LIB_OBJ)
	$(call run,LINK,$@)$(CC) $(ALL_CFLAGS) $(PIE) $(HARDEN_LD) $(LDFLAGS) -o $@ $^ $(PROGRAM_LIBS)

# The shared library: what is not hidden is the functions of rspcheck.h and what else lies in api/, of
# which the version script takes the former.
$(LIB_OBJ): ALL_CFLAGS += $(LIB_CFLAGS)
$(filter $(BUILD)/api/%,$(LIB_OBJ)): ALL_CFLAGS += -fvisibility=default

$(BUILD)/librspcheck.so.$(VERSION): $(LIB_OBJ) api/rspcheck.map
	$(call run,LINK,$@)$(call link_shared,$@,$(LIB_OBJ))

$(SHARED): $(BUILD)/librspcheck.so.$(VERSION)
	@ln -sf $(<F) $(BUILD)/librspcheck.so.$(SOVERSION)
	@ln -sf librspcheck.so.$(SOVERSION) $@

# What other languages read: rspcheck.h's types and functions. `make GI=` leaves it out, as does a
# machine without g-ir-scanner. In a folder of its own: the scanner would link a program `rspcheck` beside it.
$(GIR): $(SHARED) $(API_HEADERS)
	@mkdir -p $(BUILD)/gir
	$(call run,GIR,$@)cd $(BUILD)/gir && g-ir-scanner --quiet --warn-all --warn-error --namespace=Rspcheck --nsversion=$(API) \
	  --identifier-prefix=Rspcheck --symbol-prefix=rspcheck --include=GObject-2.0 --pkg=gobject-2.0 \
	  --pkg-export=rspcheck --c-include=rspcheck.h --library=rspcheck --library-path=.. \
	  --cflags-begin $(addprefix -I$(CURDIR)/,api public) --cflags-end --output=../$(@F) $(abspath $(API_HEADERS))

# What Python adds to the typelib, where PyGObject looks for it if PYTHONPATH is the build's folder.
$(BUILD)/gi/overrides/Rspcheck.py: api/Rspcheck.py
	@mkdir -p $(@D)
	@cp $< $@

$(TYPELIB): $(GIR)
	$(call run,GIR,$@)g-ir-compiler --output=$@ $<

$(LIBRARY): $(LIB_OBJ)
	$(call run,LD,$@)$(call link_static,$@,$(LIB_OBJ),$(BUILD)/librspcheck.o)

$(BUILD)/enumerator/sat/solver.o: ALL_CFLAGS += $(if $(CADICAL),-DRSP_HAVE_CADICAL)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call run,CC,$<)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

ifneq ($(ROWS),$(BUILD))
$(ROWS)/%.o: %.c
	@mkdir -p $(@D)
	$(call run,CC,$<)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
endif
$(ROWS)/cli/extra.o: ALL_CFLAGS += -DCLI_EXTRAS='"$(EXTRA_DEF)"'
$(ROWS)/cli/extra.o: $(EXTRA_DEF)
$(ROWS)/tests/unit/main.o: ALL_CFLAGS += $(if $(UNIT_FAR),-DSOME_SUITES)
$(ROWS)/tests/unit/main.o: $(EXTRA_DEF)

# flex and bison generate code that our warnings reject; our own code is checked in its source.
$(BUILD)/generated/%.o: $(BUILD)/generated/%.c
	$(call run,CC,$<)$(CC) $(filter-out -Wshadow -Wmissing-prototypes,$(ALL_CFLAGS)) -Wno-unused-function \
	  -Wno-sign-compare -Wno-unused-but-set-variable -MMD -MP -c -o $@ $<

$(BUILD)/generated/lexer/%.c $(BUILD)/generated/lexer/%.h &: lexer/%.l | $(TOKENS)
	@mkdir -p $(@D)
	$(call run,FLEX,$<)$(FLEX) --header-file=$(BUILD)/generated/lexer/$*.h -o $(BUILD)/generated/lexer/$*.c $<

$(BUILD)/generated/parser/%.c $(BUILD)/generated/parser/%.h &: parser/%.y
	@mkdir -p $(@D)
	$(call run,BISON,$<)$(BISON) -Wall -Werror --defines=$(BUILD)/generated/parser/$*.h -o $(BUILD)/generated/parser/$*.c $<

# The same for a folder of extra/, which has at most one of each.
$(BUILD)/generated/extra/%/scanner.c $(BUILD)/generated/extra/%/scanner.h &: extra/%/scanner.l | $(BUILD)/generated/extra/%/scanner_tokens.h
	@mkdir -p $(@D)
	$(call run,FLEX,$<)$(FLEX) --header-file=$(BUILD)/generated/extra/$*/scanner.h -o $(BUILD)/generated/extra/$*/scanner.c $<

$(BUILD)/generated/extra/%/grammar.c $(BUILD)/generated/extra/%/grammar.h &: extra/%/grammar.y
	@mkdir -p $(@D)
	$(call run,BISON,$<)$(BISON) -Wall -Werror --defines=$(BUILD)/generated/extra/$*/grammar.h -o $(BUILD)/generated/extra/$*/grammar.c $<

$(BUILD)/generated/extra/%/scanner_tokens.h: $(BUILD)/generated/extra/%/grammar.h
	@sed -n '/^#ifndef .*TOKENTYPE/,/^#endif/p' $< > $@

# The rows of cli/extras.def whose folders are there.
$(EXTRA_DEF): cli/extras.def $(if $(shell grep -qsF '/* $(EXTRA) */' $(EXTRA_DEF) || echo changed),changed)
	@mkdir -p $(@D)
	@(echo '/* $(EXTRA) */'; sed -n 's/ //g;s/^EXTRA(\([a-z]*\),.*/\1/p' $< | while read -r folder; do \
	   case ' $(EXTRA) ' in *" extra/$$folder "*) echo "EXTRA ($$folder, )" ;; esac; done) > $@

# The kinds of tokens of a grammar, for its scanner.
$(BUILD)/generated/lexer/%_tokens.h: $(BUILD)/generated/parser/%/grammar.h
	@mkdir -p $(@D)
	@sed -n '/^#ifndef .*TOKENTYPE/,/^#endif/p' $< > $@

# The report's page, as a C string: page.html with the style and the scripts inserted.
PAGE_PANELS := $(wildcard extra/*/panel.js)
PAGE_SCRIPTS := $(patsubst %,report/page/%.js,data dom) $(PAGE_PANELS) $(patsubst %,report/page/%.js,summary source filter matrix picture explain panel live start)
$(PAGE): report/page/page.html report/page/page.css $(PAGE_SCRIPTS) Makefile
	@mkdir -p $(@D)
	@cat $(PAGE_SCRIPTS) > $(@:.c=.js)
	@$(call join_page,rsp_page_template,$<,report/page/page.css,$(@:.c=.js)) > $@

# $(call join_page,NAME,TEMPLATE,STYLES,SCRIPT): a page as a C string of that name.
join_page   = (echo 'extern const char $(1)[];'; echo 'const char $(1)[] ='; \
	 sed -e '/^@STYLE@$$/{' $(foreach f,$(3),-e 'r $(f)') -e 'd' -e '}' -e '/^@[A-Z]*@$$/{' -e '/SCRIPT/r $(4)' -e '/DATA\|LIVE/!d' -e '}' $(2) \
	 | sed -e 's/[\\"?]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/'; echo ';')

# The page of -serve: the workbench's, whose checker is the program that serves it.
SERVED     := $(patsubst %,report/page/%.js,data dom) $(PAGE_PANELS) $(patsubst %,report/page/%.js,source picture explain panel) $(patsubst %,extra/serve/%.js,served editor menus kernel workbench)
$(SERVE_PAGE): extra/serve/workbench.html report/page/page.css extra/serve/workbench.css $(SERVED) Makefile
	@mkdir -p $(@D)
	@cat $(SERVED) > $(@:.c=.js)
	@$(call join_page,serve_page,$<,report/page/page.css extra/serve/workbench.css,$(@:.c=.js)) > $@

# The cat files that are built into the program, as C strings.
$(LIBRARY_CAT): $(wildcard model/library/*.cat) Makefile
	@mkdir -p $(@D)
	@(echo '#include "model/library.h"'; echo 'const LibraryFile library_files[] = {'; \
	 for f in $(filter %.cat,$^); do echo "{ \"$${f##*/}\","; \
	   sed -e 's/[\"?]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $$f; echo '},'; done; \
	 echo '{ 0, 0 } };') > $@

# What -version says: the commit (of an archive by `make dist`: what .commit says) and the newest section of
# the changelog.
COMMIT     := $(shell if [ -e .git ]; then git describe --always --dirty --exclude='*' 2>/dev/null; else cat .commit 2>/dev/null; fi)
$(NEWS): CHANGELOG.md $(if $(shell grep -qsF 'RSP_COMMIT "$(COMMIT)"' $(NEWS) || echo changed),changed)
	@mkdir -p $(@D)
	@(echo '#define RSP_COMMIT "$(COMMIT)"'; echo '#define RSP_NEWS \'; \
	 sed -e '1,/^## /{/^## /!d}' -e '/^$$/d' -e 's/^## /New in /' -e 's/[\\"]/\\&/g' CHANGELOG.md \
	 | sed -e '2,$${/^New in /,$$d}' -e 's/.*/"&\\n" \\/'; echo '""') > $@

# The files that the program loads when they are needed (cli/lazy.c).
$(SONAMES): Makefile
	@mkdir -p $(@D)
	@($(if $(SOUP),echo '#define CLI_LAZY_SOUP "$(call soname,libsoup-3.0,soup-3.0)"';) \
	  $(if $(SECCOMP),echo '#define CLI_LAZY_SECCOMP "$(call soname,libseccomp,seccomp)"';) \
	  echo '#define CLI_LAZY_GIO "$(call soname,gio-2.0,gio-2.0)"'; \
	  echo '#define CLI_LAZY_GRAPHVIZ "$(call soname,libgvc,gvc)"') > $@
	@! grep '""' $@ || { rm $@; echo 'make: the library of this package is missing'; false; }

# The files that extra/hardware/ writes in addition to a test's own, as C strings: cuda.h is template_cuda_h.
TEMPLATE_FILES := $(wildcard extra/hardware/templates/*)
$(TEMPLATES): $(TEMPLATE_FILES) Makefile
	@mkdir -p $(@D)
	@(for file in $(TEMPLATE_FILES); do \
	    name=template_$$(basename "$$file" | tr . _); \
	    echo "extern const char $$name[];"; echo "const char $$name[] ="; \
	    sed -e 's/[\\"?]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' "$$file"; echo '"";'; \
	  done) > $@

# The only file that contains installation paths. `make install` compiles it again.
$(BUILD)/api/directories.o: ALL_CFLAGS += -DRSP_CAT_DIR='"$(DATADIR)/rspcheck/cat"'

ifeq ($(SANITIZE),)
all: $(SHARED) $(if $(GI),$(TYPELIB) $(BUILD)/gi/overrides/Rspcheck.py)
endif

# The program finds its models in cat/ next to itself: that of the sanitizer build through a link.
ifneq ($(SANITIZE)$(DEBUG)$(COVERAGE),)
all: $(BUILD)/cat
$(BUILD)/cat:
	@mkdir -p $(@D)
	ln -sfn ../cat $@
endif

# What has been compiled in another way is compiled again.
$(BUILD)/flags: $(if $(shell echo '$(ALL_CFLAGS) $(LIB_CFLAGS)' | cmp -s - $(BUILD)/flags || echo changed),changed)
	@mkdir -p $(@D)
	@echo '$(ALL_CFLAGS) $(LIB_CFLAGS)' > $@
changed:

$(LIB_OBJ) $(CLI_OBJ) $(UNIT_OBJ) $(RANDOM_OBJ): $(BUILD)/flags

# Every object may include a generated header: make those first.
$(LIB_OBJ) $(CLI_OBJ) $(UNIT_OBJ): | $(GENERATED) $(EXTRA_MADE) $(NEWS) $(SONAMES)
$(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fuzz/*.c)): | $(GENERATED) $(EXTRA_MADE)

$(UNIT): $(UNIT_OBJ) $(filter-out %/main.o,$(CLI_OBJ)) $(LIB_OBJ)
	$(call run,LINK,$@)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(shell pkg-config --libs check) $(LDLIBS)

$(UNIT_OBJ): ALL_CFLAGS += $(shell pkg-config --cflags check)

deps:
	@scripts/deps.sh

check check-all:
	@scripts/deps.sh $(@:check-%=%)
	@$(MAKE) --no-print-directory $(jobs) check-programs
	@RSP_LEVEL=$(@:check-%=%) tests/run.sh "$(abspath $(BUILD))" "$(abspath $(PROGRAM))"

check-programs: all $(UNIT) $(DIFF) $(THEOREMS)

check-quick: all $(UNIT)
	@RSP_LEVEL=quick tests/run.sh "$(abspath $(BUILD))" "$(abspath $(PROGRAM))"

check-threads:
	@$(MAKE) --no-print-directory SANITIZE=thread build-tsan/rspcheck build-tsan/differential
	@tests/threads.sh build-tsan

demo:
	@scripts/deps.sh build
	@$(MAKE) --no-print-directory $(jobs) $(PROGRAM)
	@scripts/demo.sh

bench-machine: all
	@bench/machine.py $(PROGRAM)
	@bench/steal.py $(PROGRAM)

bench: all $(DIFF)
	@bench/bench.py
	@bench/machine.py $(PROGRAM)

bench-rate: all $(DIFF)
	@bench/rate.py

# The naive and the bounded engine on random tests: `make fuzz-diff N=100000 SEED=1`; with MODELS=2 each
# under two of the models, in turn. Tests that take the naive engine more than 20 s are skipped.
N          ?= 100000
SEED       ?= 1
MODELS     ?= 0
$(RANDOM_OBJ): | $(GENERATED)

$(DIFF) $(THEOREMS): $(BUILD)/%: $(BUILD)/tests/random/%.o $(RANDOM_GEN) $(TSAN_OBJ) $(LIB_OBJ)
	$(call run,LINK,$@)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

fuzz-diff: $(DIFF)
	$(DIFF) -n $(N) -seed $(SEED) -models $(MODELS) -timeout 20 $(shell cat tests/random/models)

# Targets for libFuzzer (clang), each from tests/fuzz/TARGET.c: `make fuzz TIME=60`, seconds per target, as many targets at
# a time as there are cores.
TIME       ?= 60
FUZZ       := litmus cat map dsom records lists options kernel lsp $(if $(SPIRV),spirv) $(if $(SOUP),serve)
FUZZ_OBJ   := $(addprefix $(BUILD)/tests/fuzz/,common.o mutate.o)
$(addprefix $(BUILD)/fuzz-,$(FUZZ)): $(BUILD)/fuzz-%: $(BUILD)/tests/fuzz/%.o $(FUZZ_OBJ) $(filter-out %/main.o,$(CLI_OBJ)) $(LIB_OBJ)
	$(call run,LINK,$@)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LDLIBS)

fuzz-release: TIME = 3600
fuzz fuzz-release:
	@$(MAKE) --no-print-directory SANITIZE=fuzz $(addprefix build-fuzz/fuzz-,$(FUZZ))
	@tests/cli.py --files build-fuzz/errors
	@printf '%s\n' $(FUZZ) | xargs -P $(shell nproc) -I% tests/fuzz/run.sh build-fuzz $(TIME) %

# The same for a moment and without libFuzzer, as in make check-all.
$(addprefix $(BUILD)/replay-,$(FUZZ)): $(BUILD)/replay-%: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/replay.o $(FUZZ_OBJ) $(filter-out %/main.o,$(CLI_OBJ)) $(LIB_OBJ)
	$(call run,LINK,$@)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

fuzz-stored:
	@$(MAKE) --no-print-directory SANITIZE=1 $(addprefix build-sanitize/replay-,$(FUZZ))
	@tests/fuzz/replay.sh build-sanitize $(FUZZ)

# MUTANTS="word word": only those whose file or title has one of the words; also its options, as "-j 2".
mutants:
	@tests/mutants/mutants.py run $(MUTANTS)

coverage:
	@$(MAKE) --no-print-directory COVERAGE=1 GI= all $(addprefix build-coverage/,unit-tests differential theorems)
	@tests/coverage.py build-coverage

# The man page and `-help` come from one table; tests/cli/options.test compares.
docs: all
	$(abspath $(PROGRAM)) -man > docs/rspcheck.1
	scripts/docs.py
	scripts/manual.sh man
	docs/explain-pages.py --write $(PROGRAM)
	scripts/guides.py --write $(PROGRAM)
	docs/make-table.py $(PROGRAM)

pictures: all
	scripts/pictures.py -o build/pictures.html $(abspath $(PROGRAM)) litmus/rsp

screenshot: all
	scripts/screenshots.py $(PROGRAM)

promote: all
	tests/golden.py $(PROGRAM) --promote
	tests/cli.py --errors --promote $(PROGRAM)
	docs/make-table.py --write $(PROGRAM)

include scripts/install.mk
include $(if $(wildcard extra/serve),$(wildcard extra/web/web.mk))

lint: all
	scripts/deps.sh
	tests/lint.sh $(BUILD)

format:
	clang-format -i $(filter-out build%,$(shell git ls-files '*.c' '*.h' '*.inc'))

clean:
	rm -rf build build-debug build-sanitize build-tsan build-fuzz build-coverage build*-without rspcheck librspcheck.a

-include $(shell find $(sort $(BUILD) $(ROWS)) -name '*.d' 2>/dev/null)
