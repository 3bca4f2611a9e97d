import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { silentLog } from '../../kernel/index.ts'
import { type AuditAnchor, anchorLine, anchorText, digestOf, NO_ANCHOR } from './anchor.ts'
import { fileAnchors } from './append-to-file.ts'
import { connectAnchors } from './connect-anchors.ts'
import { readAnchorLines } from './read-anchor-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'weir-anchor-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(text: string) {
  const lines = await readAnchorLines(text)
  return { ...lines, ...(await connectAnchors([lines])) }
}

/** Three anchors that follow each other, as they are published. */
const first = anchorAfter(undefined)
const second = anchorAfter(first)
const third = anchorAfter(second)

function anchorAfter(last: { readonly id: number; readonly text: string } | undefined) {
  const id = (last?.id ?? 0) + 1
  const anchor: AuditAnchor = {
    id,
    at: new Date(id * 1_000),
    previous: last === undefined ? NO_ANCHOR : digestOf(last.text),
    heads: [{ organizationId: 1, entries: id, hash: Buffer.alloc(32, id) }],
  }
  const text = anchorText(anchor)
  return { id, text, line: anchorLine(text, digestOf(text), null) }
}

let files = 0
function newFile() {
  files += 1
  const path = join(folder, `${files}.ndjson`)
  const warned: unknown[] = []
  const log = { ...silentLog, warn: (facts: unknown) => warned.push(facts) } as unknown as typeof silentLog
  return {
    path,
    warned,
    publish: (anchor: typeof first) => fileAnchors(path, log).publish(anchor),
    text: () => readFileSync(path, 'utf8'),
  }
}

test('a line that a crash cut anywhere is completed when the same anchor is sent again', async () => {
  const whole = `${first.line}\n${second.line}\n`
  for (let cut = first.line.length + 1; cut <= whole.length; cut += 1) {
    const file = newFile()
    writeFileSync(file.path, whole.slice(0, cut))
    await file.publish(second)
    const isTorn = cut > first.line.length + 1 && cut < whole.length
    expect(file.text()).toBe(cut === whole.length ? `${whole}${second.line}\n` : whole)
    expect(file.warned).toHaveLength(isTorn ? 1 : 0)
    expect(await read(file.text())).toMatchObject({ anchors: 2, unfinishedLines: [] })
  }
})

test('another anchor begins on a line of its own after an unfinished one, and the reader names that line', async () => {
  const torn = '{"format":"weir-anchor-1","id":2,"at":"1999'
  const file = newFile()
  await file.publish(first)
  appendFileSync(file.path, torn)
  await file.publish(second)
  await file.publish(third)
  expect(file.text()).toBe([first.line, torn, second.line, third.line, ''].join('\n'))
  expect(file.warned).toHaveLength(1)
  expect(await read(file.text())).toMatchObject({ anchors: 3, unfinishedLines: [2] })
})

test('zeros of a disk that lost power are passed over, and so is an anchor that earlier versions appended to a torn one', async () => {
  const torn = second.line.slice(0, 50)
  for (const middle of [`${torn}\0\0\0\n`, `\0\0\0\n`, torn]) {
    const text = `${first.line}\n${middle}${second.line}\n${third.line}\n`
    expect(await read(text)).toMatchObject({ anchors: 3, unfinishedLines: [2] })
  }
  expect(await read(`${first.line}\n${torn}`)).toMatchObject({ anchors: 1, unfinishedLines: [2] })
})

test('an anchor removed from the middle is missing', async () => {
  const text = `${first.line}\n${second.line.slice(0, 60)}\n${third.line}\n`
  expect(await read(text)).toMatchObject({ anchors: 2, missing: [{ after: 1, before: 3, stored: false }] })
  await expect(readAnchorLines(`${first.line}\n${second.line.slice(5)}\n`)).rejects.toThrow('line 2: this is not an')
})
