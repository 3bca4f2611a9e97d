import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))
const scripts = [
  '.ci/run',
  ...globSync('{apps,deploy,packages,scripts,examples}/**/*.sh', {
    cwd: repository,
    exclude: (name) => name.includes('node_modules'),
  }),
].sort()
const isInstalled = spawnSync('shellcheck', ['--version']).error === undefined
if (!isInstalled) process.stderr.write('SKIPPED: shell scripts are not checked, there is no shellcheck\n')

test.skipIf(!isInstalled)('shellcheck finds nothing in the shell scripts', () => {
  expect(scripts.length).toBeGreaterThan(5)
  const { status, stdout } = spawnSync('shellcheck', ['--external-sources', ...scripts], {
    cwd: repository,
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
