#!/usr/bin/env node
// `weir`: installs the locked packages where that is needed, and runs the command on the Node that it requires. It must
// work on an old Node with nothing installed, so it imports only Node's own modules.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import * as module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const oldestNode = 24
const root = fileURLToPath(new URL('../..', import.meta.url))
const inside = (...path) => join(root, ...path)
const main = fileURLToPath(new URL('src/main.ts', import.meta.url))

if (mayBeOutdated()) {
  const { status } = spawnSync(process.execPath, [inside('scripts', 'bootstrap.mjs')], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}
// The service, the tours and the commands of the host read compiled files, too.
process.env.NODE_COMPILE_CACHE ??= inside('node_modules', '.cache', 'weir')
// The same folder as for npm's scripts, from wherever the command is called.
process.env.DATA_DIR ||= inside('.data')

if (Number(process.versions.node.split('.')[0]) >= oldestNode) {
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
  await import(main)
} else {
  const node = inside('node_modules', '.bin', 'node')
  if (!existsSync(node)) {
    process.stderr.write(`weir: this is Node ${process.version}; install Node ${oldestNode} or newer and try again\n`)
    process.exit(2)
  }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  // A terminal sends Ctrl-C to both; anything else only to this process.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.once('close', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}

/**
 * Packages that somebody else installed, as in an image, have no stamp of the bootstrap and stay as they are. The
 * bootstrap decides whether a newer lock file needs other packages.
 */
function mayBeOutdated() {
  if (!existsSync(inside('node_modules'))) return true
  const stamp = statSync(inside('node_modules', '.bootstrap'), { throwIfNoEntry: false })
  return stamp !== undefined && statSync(inside('package-lock.json')).mtimeMs > stamp.mtimeMs
}
