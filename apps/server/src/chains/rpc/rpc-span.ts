import type { SpanOptions } from '../../kernel/index.ts'
import type { RpcRequest } from './endpoint.ts'

/** One HTTP request to a node: its host and port and the methods, never the URL or the parameters. */
export function rpcSpan(blockchain: string, endpoint: string, requests: readonly RpcRequest[]): SpanOptions {
  const methods = [...new Set(requests.map(({ method }) => method))]
  const { hostname, port } = new URL(`http://${endpoint}`)
  return {
    name: methods.length === 1 ? methods[0]! : 'batch',
    kind: 'client',
    attributes: {
      'rpc.system.name': 'jsonrpc',
      'rpc.method': methods.join(','),
      'server.address': hostname,
      'server.port': port === '' ? undefined : Number(port),
      'weir.blockchain': blockchain,
      'weir.rpc.calls': requests.length,
    },
  }
}
