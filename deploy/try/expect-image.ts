// Compares a built image with what deploy/Dockerfile promises: node expect-image.ts CONFIG.json ROOT
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const [configFile = '', root = ''] = process.argv.slice(2)
const { Docker } = JSON.parse(readFileSync(configFile, 'utf8')) as { Docker: { config: Config } }
const { config } = Docker

interface Config {
  User: string
  Env: string[]
  Labels: Record<string, string>
  Healthcheck: { Test: string[] }
  Entrypoint: string[]
}
assert.equal(config.User, '10001:10001')
assert.deepEqual(config.Healthcheck.Test, ['CMD', 'node', '/opt/weir/healthcheck.mjs'])
assert.equal(config.Entrypoint[0], 'node')
const sbom = JSON.parse(readFileSync(join(root, config.Labels['com.weir.sbom']!), 'utf8')) as {
  bomFormat: string
  components: readonly { name: string }[]
}
assert.equal(sbom.bomFormat, 'CycloneDX')
assert.ok(sbom.components.length > 200, 'the SBOM lists the packages')
for (const tool of ['npm', 'npx', 'yarn', 'corepack'])
  assert.ok(!existsSync(join(root, 'usr/local/bin', tool)), `${tool} is gone`)
assert.ok(existsSync(join(root, config.Labels['org.opencontainers.image.documentation']!)))
assert.equal(statSync(join(root, 'data')).uid, 10_001)

// No size of an image was ever recorded. docs/install.md has 217 and 351 MB of packages, Node has 121, Debian's base
// about 170: the ceilings leave room above these sums, and none for a second copy of the packages or development tools.
const most = config.Env.includes('SERVICE_ENV=live') ? 700 : 850
const size = Number.parseInt(execFileSync('du', ['-sm', root], { encoding: 'utf8' }), 10)
assert.ok(size <= most, `${size} MB, but at most ${most} are expected`)
