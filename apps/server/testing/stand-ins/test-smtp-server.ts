import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { TEST_CERTIFICATE } from './test-certificate.ts'

/** A message as a mail server received it. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly isEncrypted: boolean
  /** Headers and body, as sent. */
  readonly raw: string
}

/** A real mail server on a free port of this machine. */
export interface TestSmtpServer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  close(): Promise<void>
}

/** Accepts every email, without a login, unless `options` say otherwise. */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    ...TEST_CERTIFICATE,
    authOptional: true,
    closeTimeout: 1,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
    ...options,
  })
  // Clients that give up in the middle of a handshake are part of the tests.
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
