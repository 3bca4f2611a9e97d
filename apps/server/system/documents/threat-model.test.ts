import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { LINKS } from '../../../../scripts/documents/threat-model/links.ts'
import { PARTS } from '../../../../scripts/documents/threat-model/parts.ts'
import { threatModelDocument } from '../../../../scripts/documents/write-threat-model-doc.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

test('docs/threat-model.md draws the parts and lists their threats', () => {
  const written = readFileSync(`${root}docs/threat-model.md`, 'utf8')
  expect(threatModelDocument(written), 'run: npm exec -- node scripts/documents/write-threat-model-doc.ts').toBe(
    written,
  )
})

test('each part has threats of every kind in order, and each test that is named exists', () => {
  for (const { name, threats } of PARTS) {
    expect([
      name,
      threats
        .map(([kind]) => kind)
        .join('')
        .replace(/(.)\1+/g, '$1'),
    ]).toEqual([name, 'STRIDE'])
    for (const [, attempt, , file] of threats) {
      if (file !== undefined) expect(existsSync(`${root}${file}`), `${name}: ${attempt}: ${file}`).toBe(true)
    }
  }
})

test('each link joins two parts that are drawn', () => {
  const ids = new Set(PARTS.map(({ id }) => id))
  expect(LINKS.filter(([from, to]) => !ids.has(from) || !ids.has(to))).toEqual([])
})
