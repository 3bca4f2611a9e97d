// Also tested elsewhere: what a lost chain, lost blocks and a false head do to money and wallets (follow-chain.test.ts,
// lost-exits.test.ts), and the cursor itself (cursor.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { anyState } from '../../testing/operations/any-state.ts'
import { useChain } from '../../testing/operations/use-chain.ts'
import { USDC } from '../../testing/units.ts'
import type { Chain } from '../chains/index.ts'
import { recordInclusions } from '../operations/index.ts'
import { type NewCursor, placeCursor, readCursor } from './cursor.ts'
import { resumeChain } from './resume-chain.ts'

const use = useChain({ confirmations: 3 })
const NOW = new Date('2026-01-01T00:00:00Z')
let printed: string[]

const cursor = () => readCursor(use.engine.db, 'polygon')
const place = async (change: Partial<NewCursor>) => {
  const genesisHash = await use.engine.chain.genesisHash()
  const { final: at } = await use.engine.chain.heads()
  await placeCursor(use.engine.db, { blockchain: 'polygon', genesisHash, at, now: NOW, ...change })
  return cursor()
}
interface Resumed {
  readonly isDevelopment?: boolean
  readonly chain?: Partial<Chain>
  readonly onReset?: () => Promise<void>
}
const resume = ({ isDevelopment = true, chain, onReset }: Resumed = {}) =>
  resumeChain(use.engine.parts, { ...use.engine.chain, ...chain } as Chain, {
    isDevelopment,
    print: (line) => printed.push(line),
    ...(onReset && { onReset }),
  })

beforeEach(async () => {
  printed = []
  await use.dev.mine(3)
  await use.engine.db.deleteFrom('chain_cursors').execute()
})

test('a chain that was never followed is followed from its final block on', async () => {
  const { final } = await use.engine.chain.heads()
  const reference = { number: final.number, hash: final.hash }
  const resumed = await resume()
  expect(resumed).toEqual(await cursor())
  expect(resumed).toMatchObject({
    genesisHash: await use.engine.chain.genesisHash(),
    final: reference,
    head: reference,
  })
  expect(printed).toEqual([])
})

test.each([true, false])(
  'a chain with the block of the cursor is followed from there on: development %s',
  async (isDevelopment) => {
    const before = await place({})
    await use.dev.mine(2)
    expect(await resume({ isDevelopment })).toEqual(before)
    expect(await cursor()).toEqual(before)
    expect(printed).toEqual([])
  },
)

/** A transaction that is recorded in a block which the cursor has passed. */
async function passedInclusion() {
  const client = await use.engine.client()
  const plan = await client.supply(100n * USDC)
  await use.dev.included(await client.submitAll(plan))
  const { latest } = await use.engine.chain.heads()
  for (let number = latest.number - 1; number <= latest.number; number += 1)
    await recordInclusions(use.engine.parts, use.engine.chain, (await use.engine.chain.block(number))!)
  const stateOf = async () => anyState((await client.operation(plan)).transactions[0]!)
  const header = (await use.engine.chain.header((await stateOf()).blockNumber!))!
  await place({ at: header })
  return { client, header, stateOf }
}

test('inclusions that the final block replaced are undone, which a process that died may have left', async () => {
  const { header, stateOf } = await passedInclusion()
  const resumed = await resume()
  expect(resumed.head).toEqual({ number: header.number, hash: header.hash })
  expect(await stateOf()).toMatchObject({ state: 'submitted' })
})

test('the inclusions of a quarantined wallet wait for the end of its quarantine', async () => {
  const { client, stateOf } = await passedInclusion()
  const { organizationId, walletId } = client.wallet
  await use.engine.db
    .insertInto('quarantined_wallets')
    .values({
      organization_id: organizationId,
      wallet_id: walletId,
      blockchain: 'polygon',
      since: NOW,
      error: 'odd',
      attempts: 1,
      next_attempt_at: NOW,
    })
    .execute()
  await resume()
  expect(await stateOf()).toMatchObject({ state: 'included' })
})

test('a node without the block of the cursor lags behind, and a development chain lost it only if it ends before it', async () => {
  const before = await place({})
  const header = async () => undefined
  const lagging = { code: 'CHAIN_UNAVAILABLE' }
  await expect(resume({ isDevelopment: false, chain: { header } })).rejects.toMatchObject(lagging)
  await expect(resume({ chain: { header } })).rejects.toMatchObject(lagging)
  expect(await cursor()).toEqual(before)
  const { final, latest } = await use.engine.chain.heads()
  const lost = await place({ at: { ...final, number: latest.number + 1 } })
  await expect(resume({ isDevelopment: false })).rejects.toMatchObject(lagging)
  expect(await resume()).toMatchObject({ final: { number: final.number } })
  expect(printed).toEqual([`polygon: block ${lost!.final.number} no longer exists; reconciling every wallet again`])
})

test('a final block that the chain replaced restarts at the final block, and every wallet waits for a reconciliation', async () => {
  const { wallet } = await use.engine.client()
  const update = use.engine.db.updateTable('wallets').set({ reconciled_block: 1 })
  await update.where('id', '=', wallet.walletId).execute()
  const reconciled = () =>
    use.engine.db
      .selectFrom('wallets')
      .select('reconciled_block')
      .where('id', '=', wallet.walletId)
      .executeTakeFirstOrThrow()
  const { final } = await use.engine.chain.heads()
  await place({ at: { ...final, hash: '0xreplaced' } })
  expect(await resume()).toMatchObject({ final: { number: final.number, hash: final.hash } })
  expect(await reconciled()).toEqual({ reconciled_block: null })
})

test('another chain behind the endpoint of a public network is refused, and the cursor stays', async () => {
  const before = await place({ genesisHash: '0xother' })
  await expect(resume({ isDevelopment: false })).rejects.toThrow('serves a different chain than before')
  expect(await cursor()).toEqual(before)
})

test('a development chain is reset again where another room could not delete its data', async () => {
  const before = await place({ genesisHash: '0xother' })
  const failing = resume({ onReset: () => Promise.reject(new Error('not deleted')) })
  await expect(failing).rejects.toThrow('not deleted')
  expect(await cursor()).toEqual(before)
  const resets: unknown[] = []
  await resume({ onReset: async () => void resets.push(await cursor()) })
  expect(resets).toEqual([before])
  expect(await cursor()).toMatchObject({ genesisHash: await use.engine.chain.genesisHash() })
  expect(printed).toEqual([expect.stringContaining('starts clean')])
})
