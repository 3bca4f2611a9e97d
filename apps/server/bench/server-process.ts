import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server in a separate process: the load generator must not compete with it for a thread. */
export interface ServerProcess {
  readonly url: string
  stop(): Promise<void>
}

export async function startServer(program: 'weir-server' | 'bare-server', databaseUrl: string): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL(`programs/${program}.ts`, import.meta.url)), [databaseUrl])
  const ended = once(child, 'exit')
  const takeAlong = () => child.kill('SIGKILL')
  process.once('exit', takeAlong)
  const [port] = await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`${program} ended with ${code} before it listened`)
    }),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      process.off('exit', takeAlong)
      child.kill()
      await ended
    },
  }
}
