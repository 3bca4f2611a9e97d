import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../kernel/index.ts'
import { DEAD, landed, signed, startTestNode, type TestNode, transfer } from '../evm/test-node.ts'
import { createDevChain, type DevChain } from './create-dev-chain.ts'

const TRANSFERS = 100
const READERS = 4

let node: TestNode
let dev: DevChain

beforeEach(async () => {
  node = await startTestNode()
  dev = createDevChain({ url: node.url, isRegistered: async () => true, log: silentLog })
})
afterEach(async () => {
  await dev.close()
  await node.stop()
})

test.each(['fault', 'withoutFaults'] as const)(
  'the balance at the latest block is of that block while the next is mined, through %s',
  { timeout: 60_000 },
  async (path) => {
    const chain = node.chain({ fault: dev[path] })
    const balanceAt = async (at: number) => (await chain.balances([{ owner: DEAD, token: 'native' }], at))[0]!
    const start = (await chain.heads()).latest.number
    const held = await balanceAt(start)
    let reads = 0
    let isSending = true
    const read = async () => {
      while (isSending) {
        const at = (await chain.heads()).latest.number
        // Each block brings one unit.
        expect(await balanceAt(at)).toBe(held + BigInt(at - start))
        reads += 1
      }
    }
    const readers = Array.from({ length: READERS }, read)
    const send = async () => {
      for (let sent = 0; sent < TRANSFERS; sent++) {
        const { raw, hash } = await signed(chain, 0, transfer(1n))
        expect(await chain.broadcast(raw)).toMatchObject({ outcome: 'accepted' })
        await landed(chain, hash)
      }
    }
    await Promise.all([send().finally(() => (isSending = false)), ...readers])
    expect(reads).toBeGreaterThan(TRANSFERS)
  },
)

test('what was sent is in a block when its sender hears of it, so that nothing is mined unseen', async () => {
  const chain = node.chain({ fault: dev.withoutFaults })
  for (let sent = 0; sent < 50; sent++) {
    const { raw, hash } = await signed(chain, 0, transfer(1n))
    await chain.broadcast(raw)
    expect(await node.rpc('eth_getTransactionReceipt', hash)).not.toBeNull()
  }
})

test('what waits for an earlier nonce is not waited for, and is mined with it', async () => {
  const chain = node.chain({ fault: dev.fault })
  const { nonce } = await signed(chain, 0, transfer(1n))
  const later = await signed(chain, 0, transfer(1n), { nonce: nonce + 1 })
  expect(await chain.broadcast(later.raw)).toMatchObject({ outcome: 'accepted' })
  const first = await signed(chain, 0, transfer(1n), { nonce })
  await chain.broadcast(first.raw)
  for (const { hash } of [first, later]) expect(await node.rpc('eth_getTransactionReceipt', hash)).not.toBeNull()
})
