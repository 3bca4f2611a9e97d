import { type Hex, keccak256 } from 'viem'
import { type FakeServer, startFakeServer } from './fake-server.ts'

/** A node of polygon or Solana that says whatever a test wants. */
export interface HostileNode extends FakeServer {
  /** Signed bytes that it received. */
  readonly sent: string[]
  /** What it says, instead of the usual result, by method. A function gets the parameters; an Error drops the connection. */
  readonly lies: Record<string, unknown>
}

type Params = readonly unknown[]

export async function startHostileNode(): Promise<HostileNode> {
  const sent: string[] = []
  const lies: Record<string, unknown> = {}
  const usual: Readonly<Record<string, (params: Params) => unknown>> = {
    eth_chainId: () => '0x7a6a',
    eth_getBlockByNumber: ([tag]) => ({
      number: '0x10',
      hash: tag === '0x0' ? '0x9e9e' : '0xb10c',
      parentHash: '0x9e9e',
    }),
    eth_getTransactionReceipt: () => null,
    // Earlier transactions are pending, so that tests are free to choose nonces.
    eth_getTransactionCount: ([, tag]) => (tag === 'pending' ? '0x40' : '0x0'),
    eth_getTransactionByHash: ([hash]) =>
      sent.some((raw) => keccak256(raw as Hex) === hash) ? { blockNumber: null } : null,
    eth_sendRawTransaction: ([raw]) => {
      sent.push(String(raw))
      return keccak256(raw as Hex)
    },
    eth_call: () => `0x${1_000_000n.toString(16).padStart(64, '0')}`,
    getGenesisHash: () => 'hostile',
    getBlockHeight: () => 100,
    sendTransaction: ([raw]) => {
      sent.push(String(raw))
      return 'accepted'
    },
  }
  const server = await startFakeServer((_request, text) => {
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: Params }
    const lie = method in lies ? lies[method] : usual[method]
    if (lie instanceof Error) throw lie
    const result = typeof lie === 'function' ? lie(params) : lie
    return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, result: result ?? null }) }
  })
  return { ...server, sent, lies }
}
