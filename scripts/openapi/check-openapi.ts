// Checks the OpenAPI document with Spectral and Redocly, and that the client library and the Bruno collection were
// generated from it. Starts no service.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import type { Document } from '../bruno/collection.ts'
import { staleFiles } from '../bruno/stale-files.ts'
import { openApiDocument } from './openapi-document.ts'

/** The union of what webhooks receive: clients use it, no path refers to it. */
const UNUSED = /unused-component.*WebhookEvent/

/** The server of a service that runs on its user's machine. */
const LOCAL_SERVER = 'no-server-example.com'

const routes = await openApiDocument()
const document = JSON.stringify(routes)
const problems = [...(await spectralProblems(document)), ...(await redoclyProblems(document))].filter(
  (problem) => !UNUSED.test(problem),
)
for (const problem of problems) console.error(problem)
const generated = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('../../packages/sdk/generator/write-client.ts', import.meta.url)), '--check'],
  { stdio: 'inherit' },
)
const stale = staleFiles(fileURLToPath(new URL('../../bruno', import.meta.url)), routes as Document)
for (const path of stale) console.error(`bruno/${path} is not what node scripts/bruno/write-bruno-collection.ts writes`)
if (problems.length > 0 || stale.length > 0 || generated.status !== 0) process.exit(1)
console.log('the OpenAPI document has no errors; the client library and the Bruno collection are up to date')

async function spectralProblems(source: string): Promise<string[]> {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [[rulesets.oas, 'recommended']] } as never)
  const results = await linter.run(JSON.parse(source))
  return results.map(
    ({ code, path, message, severity }) => `spectral ${severity} ${code} ${path.join('.')}: ${message}`,
  )
}

async function redoclyProblems(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: { [LOCAL_SERVER]: 'off' } })
  const results = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return results.map(
    ({ ruleId, severity, location, message }) => `redocly ${severity} ${ruleId} ${location[0]?.pointer}: ${message}`,
  )
}
