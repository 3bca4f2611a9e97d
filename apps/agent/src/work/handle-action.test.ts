import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { openJournal } from '../journal/index.ts'
import type { ActionReport, AgentAction } from '../service/work.ts'
import { createKeystoreSigner } from '../signers/keystore/keystore-signer.ts'
import { handleAction } from './handle-action.ts'
import { createOutages } from './outages.ts'
import type { Parts } from './parts.ts'

const root = mkdtempSync(join(tmpdir(), 'weir-actions-'))
afterAll(() => rmSync(root, { recursive: true }))
let folders = 0

const action = (payload: Readonly<Record<string, unknown>>, more: Partial<AgentAction> = {}): AgentAction => ({
  id: 7,
  type: 'CREATE_WALLET',
  payload,
  createdAt: '2026-05-05T12:00:00.000Z',
  leaseExpiresAt: '2026-05-05T12:01:00.000Z',
  ...more,
})
const ADA = action({ blockchain: 'polygon', label: 'Ada' })
const BOB = action({ blockchain: 'polygon', label: 'Bob' })
const CAROL = action({ blockchain: 'solana', label: 'Carol' })
const REUSED = { status: 'FAILED', error: expect.stringMatching(/^ID_REUSED: action 7 /) }

/** The journal and the key files of one agent, and what it reports. */
function agentIn(dir = join(root, String(++folders)), journalDir = dir) {
  const journal = openJournal(journalDir, systemClock)
  const signer = createKeystoreSigner(join(dir, 'keys'), 'a passphrase', 'light')
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null, level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const crash = { at: '' }
  async function handle(one: AgentAction): Promise<ActionReport | undefined> {
    const reports: ActionReport[] = []
    const parts = {
      service: { reportAction: async (_id: number, said: ActionReport) => void reports.push(said) },
      signer,
      journal,
      nodes: new Map([
        ['polygon', {}],
        ['solana', {}],
      ]),
      clock: systemClock,
      holds: createOutages({ log, clock: systemClock, away: 'not done', back: 'done' }),
      log,
      emit(step: string) {
        if (step === crash.at) throw new Error('killed')
      },
    } as unknown as Parts
    await handleAction(parts, one, new AbortController().signal)
    return reports[0]
  }
  return { dir, journal, handle, lines, crash }
}

const addressIn = (report: ActionReport | undefined) =>
  report?.status === 'SUCCESS' ? report.result.address : undefined

test('an id that a service issues again for another request never gets the key of the first one', async () => {
  const { handle, lines, journal } = agentIn()
  const first = addressIn(await handle(ADA))
  expect(first).toMatch(/^0x/)
  const later = { ...ADA, createdAt: '2026-06-06T12:00:00.000Z' }
  for (const other of [BOB, CAROL, later]) expect(await handle(other)).toEqual(REUSED)
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatchObject({ level: 50, actionId: 7, code: 'ID_REUSED' })
  // A retry of the first request, under a later lease, gets its key.
  expect(addressIn(await handle({ ...ADA, leaseToken: 'lease_2' }))).toBe(first)
  journal.close()
})

test('a key that was created before a crash is found by its own request only', async () => {
  const { dir, handle, journal, crash } = agentIn()
  crash.at = 'key-made'
  expect(await handle(ADA)).toBeUndefined()
  crash.at = ''
  expect(await handle(BOB)).toEqual(REUSED)
  expect(addressIn(await handle(ADA))).toMatch(/^0x/)
  expect(readdirSync(join(dir, 'keys'))).toHaveLength(1)
  journal.close()
})

test('a restored copy of the journal does not find the key of a request that it does not know', async () => {
  const before = agentIn()
  before.journal.close()
  const copy = join(root, 'copy')
  cpSync(before.dir, copy, { recursive: true })
  const original = agentIn(before.dir)
  const ada = addressIn(await original.handle(ADA))
  original.journal.close()
  const restored = agentIn(before.dir, copy)
  expect(restored.journal.id).toBe(original.journal.id)
  const bob = addressIn(await restored.handle(BOB))
  expect(bob).toMatch(/^0x/)
  expect(bob).not.toBe(ada)
  restored.journal.close()
})

test('a journal of an earlier version answers the first request of the key’s family, and then only this one', async () => {
  const { handle, journal } = agentIn()
  const key = { address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D', signatureId: 'old' }
  journal.recordKey(7, key)
  expect(await handle(CAROL)).toEqual(REUSED)
  expect(await handle(ADA)).toEqual({ status: 'SUCCESS', result: key })
  expect(await handle(BOB)).toEqual(REUSED)
  expect(await handle(ADA)).toEqual({ status: 'SUCCESS', result: key })
  journal.close()
})
