# Earshot's commands. `make` without a target lists them. Works with GNU make 3.81 (macOS) and newer.

PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
FUZZ_SECONDS ?= 60

# The release build. On Linux the Swift libraries are linked into the program. So it starts faster, and runs on machines
# without a Swift toolchain.
# Without colours, because SwiftPM asks the compiler for them on a terminal only. With other flags in a pipe, it would
# compile everything again there.
RELEASE_FLAGS = -c release --no-color-diagnostics
# Flags of every build. On macOS the wide-character ncurses is from Homebrew, and is not in the usual search paths.
SWIFT_FLAGS =
ifeq ($(shell uname -s),Darwin)
  NCURSES := $(shell brew --prefix ncurses 2>/dev/null)
  SWIFT_FLAGS += -Xcc -I$(NCURSES)/include -Xlinker -L$(NCURSES)/lib
  export PKG_CONFIG_PATH := $(shell brew --prefix libxml2 2>/dev/null)/lib/pkgconfig:$(PKG_CONFIG_PATH)
else
  # lld, which comes with Swift, leaves out more unused code than gold does, and most if no symbols are exported.
  RELEASE_FLAGS += --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic
  # Two builds of one commit are equal: without hashes for incremental builds, which differ each time, and without the path
  # of this directory in the C++ of TOMLKit.
  RELEASE_FLAGS += -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xcxx "-ffile-prefix-map=$(CURDIR)=."
  # All symbols are bound at the start, so that the loader can make their table read-only. This takes 0.2 ms.
  RELEASE_FLAGS += -Xlinker -z -Xlinker now
  # Packed relative relocations take a tenth of the space, which saves 2 MB. glibc supports them since 2.36.
  RELEASE_FLAGS += $(shell getconf GNU_LIBC_VERSION 2>/dev/null \
    | awk '{ split($$2, v, "."); if (v[1] > 2 || v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
  # Debian's Swift 6.2 has no library for what Testing offers where Foundation is imported, too. No test uses it.
  TEST_FLAGS = $(shell runtime=$$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p'); \
    [ -e "$$runtime/linux/lib_Testing_Foundation.so" ] || echo "-Xswiftc -Xfrontend -Xswiftc -disable-cross-import-overlays")
  TRIM_ICU = if command -v python3 >/dev/null; then eval "$$(scripts/trim-icu .build/icu/icudata.dat)"; fi;
endif

BINARY = .build/release/earshot
# Packages and archives.
DIST = .build/dist
SOURCES = Sources Tests Package.swift
SCRIPTS = scripts/bootstrap scripts/test-bootstrap scripts/test-install scripts/run-tests scripts/install-files scripts/sanitize scripts/fuzz-coverage .ci/run \
  scripts/version scripts/fill-in scripts/debian-directory scripts/make-deb scripts/make-source scripts/make-tarball \
  scripts/release scripts/check-packaging scripts/ci-summary

.DEFAULT_GOAL = help
# Also with -j, bootstrap ends before the build begins. SwiftPM uses all cores by itself.
.NOTPARALLEL:
.PHONY: help run test build program bootstrap lint shellcheck format install uninstall deb tarball release bench fuzz fuzz-coverage sanitize soak conformance screenshots welcome clean

help: ## lists these commands
	@echo "Earshot, a podcast player for the terminal. Commands:"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

run: build ## installs what is missing, builds, opens the player (ARGS="doctor" runs a verb)
	@exec $(BINARY) $(ARGS)

# The tests that use real components (the built program, libmpv, servers) run first, without the others. The pure tests
# use every core, and would make tests that wait for real components time out.
REAL_PARTS = ^(TUIAppTests|PlaybackTests|DownloadsTests|StreamsTests|DesktopTests|FeedKitTests\.HTTP)

# The pure tests include a minute of fuzzing, which runs in parallel with the others. The message of a failure has its round:
# `EARSHOT_FUZZ_SEED=… EARSHOT_FUZZ_ROUND=… make fuzz` repeats it.
TEST_FUZZ_SECONDS ?= 60

# The last lines that this target prints are the test counts. Print nothing after them.
test: ## installs what is missing, lints, builds, runs every test
	@scripts/bootstrap test
	@scripts/test-bootstrap
	@scripts/test-install
	@$(MAKE) --no-print-directory lint
	swift build --build-tests $(SWIFT_FLAGS) $(TEST_FLAGS)
	scripts/run-tests $(SWIFT_FLAGS) --filter '$(REAL_PARTS)'
	EARSHOT_FUZZ_SECONDS=$(TEST_FUZZ_SECONDS) scripts/run-tests $(SWIFT_FLAGS) --skip '$(REAL_PARTS)'

build: bootstrap program ## builds the release program, .build/release/earshot

# Without bootstrap, for packages.
program:
	$(TRIM_ICU) env EARSHOT_COMMIT=$$(scripts/version commit) EARSHOT_DATE=$$(scripts/version date) \
	  swift build $(RELEASE_FLAGS) $(SWIFT_FLAGS) --product earshot

bootstrap: ## installs what is missing to build, and nothing else
	@scripts/bootstrap

lint: ## checks the format of the Swift code; with python3 also the themes' contrast, and the names and the width of comments
	swift format lint --strict --parallel --recursive $(SOURCES)
	@if command -v python3 >/dev/null; then scripts/theme-contrast && scripts/check-names; fi
	@if command -v shellcheck >/dev/null; then $(MAKE) --no-print-directory shellcheck; fi
	scripts/version --check
	@if command -v python3 >/dev/null; then scripts/test-release; fi

shellcheck:
	shellcheck -x $(SCRIPTS)

format: ## formats the Swift code
	swift format --in-place --parallel --recursive $(SOURCES)

# Root builds nothing under sudo, or into the .build of another user (su, doas): it may lack the toolchain, and its files in .build
# would break later builds.
FOR_OTHER_USER = $(SUDO_USER)$(shell [ "$$(id -u)" -ne 0 ] || find .build -prune ! -user 0 2>/dev/null)
install: $(if $(FOR_OTHER_USER),,build) ## program, themes, welcome podcast, documents, man pages, completions (PREFIX=/usr/local, DESTDIR=)
	@test -x $(BINARY) || { echo "make: build first, as your own user: make build" >&2; exit 1; }
	DESTDIR="$(DESTDIR)" scripts/install-files $(BINARY) "$(PREFIX)"

uninstall: ## removes the files of `make install` (same PREFIX and DESTDIR)
	DESTDIR="$(DESTDIR)" scripts/install-files --remove "$(PREFIX)"

deb: ## makes Debian packages for this system, .build/dist/earshot_VERSION~SYSTEM_ARCHITECTURE.deb (needs debhelper)
	@scripts/make-deb --check
	@$(MAKE) --no-print-directory build
	scripts/make-deb $(BINARY) $(DIST)

tarball: build ## makes an archive that runs from anywhere, .build/dist/earshot-VERSION-SYSTEM-MACHINE.tar.gz
	scripts/make-tarball $(BINARY) $(DIST)

release: ## does the automatic steps of docs/RELEASING.md
	scripts/release

bench: build ## measures the program; with ../shared/perf also other players, and writes docs/BENCHMARKS.md
	@scripts/bootstrap python
	scripts/bench $(BINARY)

soak: build ## plays for SOAK_SECONDS=3600 with many changes of episode; fails if the memory grows by a fifth
	@scripts/bootstrap python
	scripts/soak $(BINARY)

fuzz: ## feeds the readers mutated input for FUZZ_SECONDS=60
	@scripts/bootstrap test
	swift build --build-tests $(SWIFT_FLAGS) $(TEST_FLAGS)
	EARSHOT_FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/run-tests $(SWIFT_FLAGS) --filter Fuzz

COVERAGE_SECONDS ?= 60
fuzz-coverage: ## fuzzes each reader guided by coverage, with libFuzzer, for COVERAGE_SECONDS=60 (Linux)
	@scripts/bootstrap
	scripts/fuzz-coverage $(COVERAGE_SECONDS)

# Separate builds in .build-asan and .build-tsan. Each takes about ten minutes the first time.
SANITIZE_SECONDS ?= 120
sanitize: ## runs the tests under sanitizers, with SANITIZE_SECONDS=120 of fuzzing (PARTS="address thread")
	@scripts/bootstrap test
	scripts/sanitize $(SANITIZE_SECONDS) $(PARTS)

conformance: build ## scores the feed reader on ../shared/corpora and writes docs/CONFORMANCE.md
	@scripts/bootstrap python
	scripts/conformance $(BINARY)

screenshots: build ## makes the README's screenshots with the running program, in docs/screenshots
	@scripts/bootstrap test python
	scripts/screenshots $(BINARY)

welcome: ## makes the built-in podcast from scripts/welcome
	@scripts/bootstrap welcome
	scripts/make-welcome

clean: ## removes what was built
	rm -rf .build .build-asan .build-tsan .build-fuzz
