// Also tested in: apps/agent/system/attacks/agent-chains.test.ts (what becomes of signed bytes).

import { sandboxAllowList } from '@weir/verify'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startFakeServer } from '../../testing/fake-server.ts'
import { type HostileNode, startHostileNode } from '../../testing/hostile-node.ts'
import { createNodes } from './index.ts'
import type { Node } from './port.ts'

let node: HostileNode
let polygon: Node
let said: string[]
beforeEach(async () => {
  node = await startHostileNode()
  said = []
  const log = { warn: ({ reason }: { readonly reason: string }) => void said.push(reason) } as never
  polygon = createNodes(sandboxAllowList, new Map([['polygon', [node.url]]]), 'sandbox', log).get('polygon')!
})
afterEach(() => node.close())

const wrong = expect.stringMatching(/^RPC endpoint 1 of polygon \(127\.0\.0\.1:\d+\) serves chain 1, but the list says/)
const asked = async () => {
  let times = 0
  node.lies.eth_chainId = () => {
    times += 1
    return '0x7a6a'
  }
  for (const _again of [1, 2, 3]) await polygon.genesis()
  return times
}

test('an endpoint proves its chain before the first request, and not with each', async () => {
  expect(await asked()).toBe(1)
})

test('one that was away proves its chain again; of another chain it is logged once, and asked nothing else', async () => {
  await polygon.genesis()
  node.lies.eth_chainId = '0x1'
  expect(await polygon.genesis()).toBe('0x9e9e')
  node.lies.eth_getBlockByNumber = new Error('it is away')
  await expect(polygon.genesis()).rejects.toMatchObject({ name: 'NodeSilent' })
  let requests = 0
  node.lies.eth_getBlockByNumber = () => {
    requests += 1
    return { number: '0x10', hash: '0xb10c', parentHash: '0x9e9e' }
  }
  for (const _again of [1, 2]) await expect(polygon.genesis()).rejects.toThrow('serves chain 1')
  expect({ requests, said }).toEqual({ requests: 0, said: [wrong] })
  node.lies.eth_chainId = '0x7a6a'
  expect(await polygon.genesis()).toBe('0x9e9e')
})

test('an endpoint that names no chain is as good as none', async () => {
  for (const nothing of [null, 'x', 31338, {}]) {
    node.lies.eth_chainId = nothing
    await expect(polygon.genesis()).rejects.toMatchObject({ name: 'NodeSilent' })
    expect(await polygon.identityProblems()).toMatchObject([{ isOther: false }])
  }
  expect(said).toEqual([])
})

test.each([
  ['weir:p%40ss', 'weir:p@ss'],
  ['weir:100%', 'weir:100%'],
  [':token', ':token'],
])('an endpoint at http://%s@ gets user and password as a header; no reason or log has them', async (user, sent) => {
  const authorization = `Basic ${Buffer.from(sent).toString('base64')}`
  const guarded = await startFakeServer(async (request, body) =>
    request.headers.authorization === authorization
      ? { status: 200, body: await (await fetch(node.url, { method: 'POST', body })).text() }
      : { status: 401, body: 'who are you?' },
  )
  onTestFinished(guarded.close)
  const lines: string[] = []
  const log = { warn: (line: object) => void lines.push(JSON.stringify(line)) } as never
  const urls = [guarded.url.replace('//', `//${user}@`)]
  const createNode = () => createNodes(sandboxAllowList, new Map([['polygon', urls]]), 'sandbox', log).get('polygon')!
  expect(await createNode().genesis()).toBe('0x9e9e')
  node.lies.eth_chainId = '0x1'
  lines.push(await createNode().genesis().catch(String))
  await guarded.close()
  lines.push(await createNode().genesis().catch(String))
  expect(lines).toEqual([
    expect.stringContaining('serves chain 1'),
    expect.stringContaining('serves chain 1'),
    expect.stringMatching(/names the first block: [A-Z_]+$/),
  ])
  expect(lines.join()).not.toMatch(/p%40ss|p@ss|100%|token/)
})
