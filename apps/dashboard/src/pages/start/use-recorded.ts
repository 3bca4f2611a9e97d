import { useState } from 'react'
import { requestLog, type SentRequest } from '../../api/client.ts'

/** Runs the work of one button: whether it runs, why it failed, and what it sent, oldest first, even when it failed. */
export function useRecorded() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const record = async (work: () => Promise<void>): Promise<readonly SentRequest[]> => {
    setBusy(true)
    setProblem(undefined)
    const before = requestLog()[0]?.id ?? 0
    try {
      await work()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Something went wrong. Try again.')
    }
    setBusy(false)
    return requestLog()
      .filter(({ id }) => id > before)
      .toReversed()
  }
  return { busy, problem, setProblem, record }
}

/** Without what was only read. */
export const writesOf = (sent: readonly SentRequest[]): readonly SentRequest[] =>
  sent.filter(({ method }) => method !== 'GET')
