import { once } from 'node:events'
import { request as send } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { App } from '../../src/surfaces/http/index.ts'

/** Sends a request whose client leaves once `arrived` resolves. Resolves when the listening server knows that it left. */
export async function sendAndLeave(
  app: App,
  { path, headers }: { readonly path: string; readonly headers: Record<string, string> },
  arrived: Promise<unknown>,
): Promise<void> {
  const { port } = app.server.address() as AddressInfo
  const connected = once(app.server, 'connection')
  const request = send({ port, path, headers, agent: false })
  request.on('error', () => undefined).end()
  const [socket] = (await connected) as [Socket]
  await arrived
  const gone = once(socket, 'close')
  request.destroy()
  await gone
}
