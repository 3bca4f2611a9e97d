import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const DISTANCE_MS = 250

/**
 * Receives webhooks in a separate process: `/dead` never responds, `/distant/...` after 250 ms, all other paths
 * immediately. On each message it reports how many arrived (except on `/distant/spare`, to compare with `/dead`), and how
 * long each took from its event's `emittedAt` to its first byte here.
 */
let received = 0
let latencies: number[] = []
const server = createServer((request, response) => {
  const arrived = performance.timeOrigin + performance.now()
  let text = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => {
    if (request.url?.startsWith('/dead')) return
    if (request.url !== '/distant/spare') received += 1
    const emittedAt = /"emittedAt":([0-9.]+)/.exec(text)?.[1]
    if (emittedAt) latencies.push(arrived - Number(emittedAt))
    const respond = () => response.writeHead(204).end()
    if (request.url?.startsWith('/distant/')) setTimeout(respond, DISTANCE_MS)
    else respond()
  })
})
process.on('message', () => {
  process.send?.({ received, latencies })
  received = 0
  latencies = []
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
