#!/usr/bin/env node
// `weir COMMAND`: runs a command of the package. Plain JavaScript, so that an old Node gets as far as the message.
const PROGRAMS = {
  start: 'apps/server/src/main.js',
  agent: 'apps/agent/src/main.js',
  mcp: 'packages/mcp/src/main.js',
}
const COMMAND_LINE = 'apps/cli/src/main.js'
/** They are no part of the package. */
const OF_A_CLONE = ['chains', 'tour', 'simulate', 'bench']
const OLDEST_NODE = 24

const [command, ...rest] = process.argv.slice(2)
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  fail(`weir needs Node ${OLDEST_NODE} or newer; this is ${process.version}`)
} else if (OF_A_CLONE.includes(command) && !rest.includes('--help')) {
  fail(`weir ${command} needs a clone of the repository`)
} else {
  // A program reads its own arguments, as if Node had started its file.
  const file = Object.hasOwn(PROGRAMS, command ?? '') ? PROGRAMS[command] : undefined
  if (file !== undefined) process.argv = [process.argv[0], process.argv[1], ...rest]
  await import(new URL(file ?? COMMAND_LINE, import.meta.url).href)
  if (command === '--help' || command === '-h')
    process.stdout.write('\nThe package lacks chains, tour, simulate and bench.\n')
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
