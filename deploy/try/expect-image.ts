// Compares a built image with what deploy/Dockerfile promises: node expect-image.ts CONFIG.json ROOT
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const [configFile = '', root = ''] = process.argv.slice(2)
const { Docker } = JSON.parse(readFileSync(configFile, 'utf8')) as { Docker: { config: Config } }
const { config } = Docker

interface Config {
  User: string
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
