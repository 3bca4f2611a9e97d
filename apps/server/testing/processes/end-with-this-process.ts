import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * However this process ends, its services end with it, and their own children with them: a shell waits for the end of a
 * pipe. Returns what ends the wait.
 */
export function endWithThisProcess({ pid }: ChildProcess): () => void {
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const
  const waiter = spawn('/bin/sh', ['-c', `read -r _ <&3; kill -KILL ${pid}`], { stdio: [...stdio], detached: true })
  waiter.unref()
  const pipe = waiter.stdio[3] as Socket
  pipe.unref()
  return () => {
    waiter.kill('SIGKILL')
    pipe.destroy()
  }
}
