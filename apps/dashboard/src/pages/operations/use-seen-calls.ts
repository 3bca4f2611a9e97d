import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { sha256 } from '../../lib/proofs/sha256.ts'
import { callsText } from '../../lib/transactions/planned-calls.ts'

export interface SeenCalls {
  readonly text: string
  /** Undefined while it is computed. */
  readonly hash: string | undefined
}

/** What an operation calls as the page shows it, with the hash over that. */
export function useSeenCalls(operation: Schema<'CoreOperation'>): SeenCalls {
  const { environment, organization } = useSession()
  const text = callsText({ environment, organizationId: organization.id, operation })
  const hash = useQuery({
    queryKey: ['sha256', text],
    queryFn: () => sha256(text),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { text, hash: hash.data }
}
