import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { BLOCK_PROOFS, type BlockProof } from './block-proofs.ts'
import { type Block, blocksOf, pages, repository } from './documented-blocks.ts'
import { isInTour } from './documented-tour.ts'

const tests = new Set(
  globSync(['{apps,packages,deploy}/**/*.{test.ts,sh}', 'deploy/try/*.ts', 'apps/*/system/**/*.ts'], {
    cwd: repository,
    exclude: (name) => name.includes('node_modules'),
  }).map((file) => basename(file)),
)
const blocks = pages.flatMap(blocksOf)
const read = (file: string) => readFileSync(join(repository, file), 'utf8')
const covers = ({ page, begins = '', language }: BlockProof, block: Block) =>
  page === block.page && block.code.startsWith(begins) && (language ?? block.language) === block.language
/** Diagrams are drawn when the site is built, and the built site is compared with its sources. */
const isDrawn = ({ language }: Block) => language === 'mermaid'
const nameOf = ({ page, code }: Block) => `${page}: ${code.split('\n', 1)[0]}`

test('every block of the documents is run, or compared, or has a reason why not', () => {
  expect(blocks.length).toBeGreaterThan(150)
  const open = blocks.filter(
    (block) => !isDrawn(block) && !isInTour(block) && !BLOCK_PROOFS.some((proof) => covers(proof, block)),
  )
  expect(open.map(nameOf), 'run it in documented-tour.ts, or add a line to block-proofs.ts').toEqual([])
})

test('every block stands between fences: what is only indented escapes the other tests', () => {
  const indented = pages.flatMap((page) => {
    const prose = read(page).replace(/^ *```[\s\S]*?^ *```$/gm, '(code)')
    // An item of a list goes on with an indentation.
    return [...prose.matchAll(/^(?![ \d*-]).*\n\n((?: {4}|\t)\S.*)$/gm)].map(([, line]) => `${page}: ${line}`)
  })
  expect(indented).toEqual([])
})

test('no line of the table belongs to a block that is gone or runs by itself', () => {
  const idle = BLOCK_PROOFS.filter((proof) => !blocks.some((block) => covers(proof, block) && !isInTour(block)))
  expect(idle).toEqual([])
})

test.each(BLOCK_PROOFS.filter((proof) => proof.in !== undefined))('$in reads $page', ({ page, ...proof }) => {
  const text = read(proof.in!)
  expect(text).toContain(basename(page, '.md'))
  // A reader who wants to run a trial finds it in the list of trials.
  if (proof.in!.startsWith('deploy/try/')) expect(read('deploy/try/all.sh')).toContain(proof.in!)
})

test('a reason is given where no file is, and the tests that it names exist', () => {
  for (const { page, why, ...proof } of BLOCK_PROOFS) {
    expect((why === undefined) !== (proof.in === undefined), page).toBe(true)
    for (const [name] of why?.matchAll(/[\w-]+\.(?:test\.ts|sh|ts)\b/g) ?? [])
      expect(tests.has(name), `${page}: ${name}`).toBe(true)
  }
})

test('four of five blocks of commands are run or compared', () => {
  const shell = blocks.filter(({ language }) => ['bash', 'sh'].includes(language))
  const withReason = shell.filter((block) => BLOCK_PROOFS.some((proof) => proof.why && covers(proof, block)))
  expect(withReason.length / shell.length, withReason.map(nameOf).join('\n')).toBeLessThan(0.2)
})
