import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

/** A name server of TXT records, over UDP. */
export interface DnsServer {
  /** For the setting DNS_SERVERS. */
  readonly address: string
  readonly records: Map<string, string>
  close(): Promise<void>
}

const HEADER_BYTES = 12
const TXT = 16

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(respond(query, records), port, address))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  return {
    address: `127.0.0.1:${port}`,
    records,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

/** RFC 1035: the question repeated, and one answer or none. */
function respond(query: Buffer, records: DnsServer['records']): Buffer {
  const { name, end } = questionIn(query)
  const text = records.get(name.toLowerCase())
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(text === undefined ? 0 : 1, 6)
  const question = query.subarray(HEADER_BYTES, end)
  if (text === undefined) return Buffer.concat([header, question])
  const fixed = Buffer.alloc(HEADER_BYTES)
  // A pointer to the name of the question, type, class IN, time to live 0, length.
  fixed.writeUInt16BE(0xc000 + HEADER_BYTES, 0)
  fixed.writeUInt16BE(TXT, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt16BE(text.length + 1, 10)
  return Buffer.concat([header, question, fixed, Buffer.from([text.length]), Buffer.from(text, 'latin1')])
}

function questionIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 5 }
}
