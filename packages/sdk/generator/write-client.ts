// Writes packages/sdk/src/generated from the routes of the service. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../../../scripts/openapi/openapi-document.ts'
import { clientFiles } from './client-files.ts'

const folder = new URL('../src/generated/', import.meta.url)
const check = process.argv.includes('--check')
const files = await clientFiles(await openApiDocument({ preview: false, examples: false }))
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, folder)
  if (!check) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is outdated: run npm run generate -w @weir/sdk`)
    process.exitCode = 1
  }
}
