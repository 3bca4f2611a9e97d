import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { attacksDocument, attackTests } from '../../../../scripts/documents/write-attacks-doc.ts'

test('docs/attacks.md lists every test that tries an attack, 120 or more', () => {
  const written = readFileSync(new URL('../../../../docs/attacks.md', import.meta.url), 'utf8')
  expect(attacksDocument(written), 'run: npm exec -- node scripts/documents/write-attacks-doc.ts').toBe(written)
  expect(attackTests().flatMap(({ attacks }) => attacks).length).toBeGreaterThanOrEqual(120)
})

test('docs/asvs.md has each requirement of levels 1 and 2 once', () => {
  const text = readFileSync(new URL('../../../../docs/asvs.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (\d[^|]*) \|/gm)].map(([, cell = '']) => cell)
  // `4.4.1–4` stands for four.
  const listed = rows.flatMap((cell) =>
    [...cell.matchAll(/(?<![\d.])(\d+\.\d+)\.(\d+)(?:–(\d+))?(?![\d.])/g)].flatMap(([, section, first, last]) =>
      Array.from({ length: Number(last ?? first) - Number(first) + 1 }, (_, at) => `${section}.${Number(first) + at}`),
    ),
  )
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
  expect(listed.toSorted()).toEqual(REQUIREMENTS.toSorted())
})

/** The sections of ASVS 5.0.0 with their last requirement of levels 1 and 2; those of level 3 follow it. */
const SECTIONS: Readonly<Record<string, number>> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
}
const REQUIREMENTS = Object.entries(SECTIONS).flatMap(([section, last]) =>
  Array.from({ length: last }, (_, at) => `${section}.${at + 1}`),
)
