// Builds vault.so from vault.c. The bytes depend on the compiler, so the program in this repository is always built
// with one major version of clang (Debian 12: `apt-get install clang`); other versions behave the same.
// Usage: node packages/devnet/programs/vault/build.mjs [output]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkProgram } from '../link-program.mjs'

const CLANG_MAJOR = 14
const FLAGS = '-target bpf -mcpu=v2 -O2 -ffreestanding -fno-builtin -nostdlib -Wall -Wextra -Werror'.split(' ')

const clang = [`clang-${CLANG_MAJOR}`, 'clang'].find(isRightClang)
if (clang === undefined) {
  console.error(`clang ${CLANG_MAJOR} is needed and was not found`)
  process.exit(2)
}
const temporary = mkdtempSync(join(tmpdir(), 'weir-program-'))
try {
  const object = join(temporary, 'vault.o')
  execFileSync(clang, [...FLAGS, '-c', 'vault.c', '-o', object], { cwd: import.meta.dirname, stdio: 'inherit' })
  writeFileSync(process.argv[2] ?? join(import.meta.dirname, 'vault.so'), linkProgram(readFileSync(object)))
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

function isRightClang(program) {
  try {
    const words = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return words.includes(`version ${CLANG_MAJOR}.`)
  } catch {
    return false // Not installed.
  }
}
