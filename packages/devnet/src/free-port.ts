import { createServer } from 'node:net'

/** A port of 127.0.0.1 that was free a moment ago. Callers must be ready to try another. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('The system gave no free port'))
      })
    })
  })
}
