import { allowListJson, sandboxAllowList } from '@weir/verify'
import { expect, onTestFinished, test } from 'vitest'
import { type HostileNode, startHostileNode } from '../../testing/hostile-node.ts'
import { solanaSupplyOf } from '../../testing/hostile-solana-work.ts'
import { nextId, supplyOf } from '../../testing/hostile-work.ts'
import { HELD, SENT, useHostileWorlds } from '../../testing/use-hostile-worlds.ts'

const worlds = useHostileWorlds()

async function otherNode(lies: Readonly<Record<string, unknown>> = {}): Promise<HostileNode> {
  const node = await startHostileNode()
  onTestFinished(() => node.close())
  Object.assign(node.lies, lies)
  return node
}

const dropped = (): never => {
  throw new Error('the connection drops')
}
const header = (parentHash: string) => ({ number: '0x10', hash: '0xb10c', parentHash })

test('an endpoint of another chain stops the start, whichever place it has', async () => {
  const [hostile, other] = [await worlds.world(), await otherNode({ eth_chainId: '0x1' })]
  Object.assign(hostile.settings, { POLYGON_RPC_URL: `${hostile.node.url},${other.url}` })
  const { host } = new URL(other.url)
  await expect(hostile.restart()).rejects.toThrow(
    `RPC endpoint 2 of polygon (${host}) serves chain 1, but the list says 31338`,
  )
})

test('an endpoint that comes back on another chain is left out, and the others serve', async () => {
  const other = await otherNode({ eth_chainId: dropped })
  const hostile = await worlds.world()
  Object.assign(hostile.settings, { POLYGON_RPC_URL: `${other.url},${hostile.node.url}` })
  await hostile.restart()
  Object.assign(other.lies, { eth_chainId: '0x1', eth_getBlockByNumber: header('0x0bad') })
  expect(await hostile.issue(supplyOf(worlds.me, 0))).toEqual([SENT])
  expect([other.sent.length, hostile.node.sent.length]).toEqual([0, 1])
  delete other.lies.eth_chainId
  expect(await hostile.issue(supplyOf(worlds.me, 1))).toEqual([SENT])
  expect([other.sent.length, hostile.node.sent.length]).toEqual([1, 1])
})

test('a cluster that was unavailable at the start must be the one of the list before it gets a signature', async () => {
  const list = allowListJson(sandboxAllowList) as { chains: { family: string; genesisHash?: string }[] }
  const listed = sandboxAllowList.chains.find(({ family }) => family === 'svm')!.tokens[0]!.address
  for (const chain of list.chains) if (chain.family === 'svm') chain.genesisHash = listed
  const first = await worlds.world()
  const wallet = (await first.createWallet('solana')).address!
  const cluster = await otherNode({ getGenesisHash: dropped })
  const { issue } = await worlds.world({ ALLOW_LIST: list, SOLANA_RPC_URL: cluster.url })
  cluster.lies.getGenesisHash = 'another'
  expect(await issue(await solanaSupplyOf(wallet))).toEqual(HELD)
  expect(cluster.sent).toEqual([])
  cluster.lies.getGenesisHash = listed
  expect(await issue(await solanaSupplyOf(wallet))).toEqual([SENT])
  // It was never away since, so that only its genesis hash tells.
  cluster.lies.getGenesisHash = 'another'
  expect(await issue(await solanaSupplyOf(wallet))).toEqual(HELD)
  expect(cluster.sent).toHaveLength(1)
})

test('an endpoint of another genesis frees no second version while another endpoint knows the first', async () => {
  const other = await otherNode({ eth_getBlockByNumber: header('0x0bad') })
  const hostile = await worlds.world()
  Object.assign(hostile.settings, { POLYGON_RPC_URL: `${hostile.node.url},${other.url}` })
  await hostile.restart()
  const id = nextId()
  expect(await hostile.issue(supplyOf(worlds.me, 0, { id }))).toEqual([SENT])
  let drops = 2
  hostile.node.lies.eth_getBlockByNumber = () => (drops-- > 0 ? dropped() : header('0x9e9e'))
  expect(await hostile.issue(supplyOf(worlds.me, 1, { id }))).toEqual(HELD)
  hostile.node.lies.eth_getBlockByNumber = dropped
  expect(await hostile.issue(supplyOf(worlds.me, 1, { id }))).toEqual(HELD)
  expect([...hostile.node.sent, ...other.sent]).toHaveLength(1)
})
