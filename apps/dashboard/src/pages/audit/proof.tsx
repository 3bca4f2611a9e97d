import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ApiError } from '../../api/client.ts'
import { useSession } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { prove } from '../../lib/proofs/audit-proof.ts'
import { type Listing, readFirst } from '../../lib/requests/read-all.ts'
import { counted } from '../../lib/text/counted.ts'
import { Hash } from '../../parts/values.tsx'
import { verdictOf } from './verdict.ts'

type Entry = Schema<'AuditEntry'>

export const AUDIT_LOG = '/api/core/audit-log'
/** A minute or so of requests; an operator verifies a longer log on the host. */
const ENTRIES_MAX = 10_000
const LOG: Listing<Entry, Data<'listAuditLog'>> = {
  path: AUDIT_LOG,
  rows: ({ entries, pagination }) => ({ items: entries, total: pagination.total }),
  id: ({ id }) => id,
}

interface Props {
  readonly entries: readonly Entry[]
  readonly isFiltered: boolean
}

/** Hashes the entries of the page in this browser, and on demand all of the log, and says what that proves. */
export function ProofOfEntries({ entries, isFiltered }: Props) {
  const { organization } = useSession()
  const [all, setAll] = useState<readonly Entry[]>()
  const shown = all ?? entries
  const proof = useQuery({
    queryKey: ['audit proof', organization.id, shown.map(({ hash, id }) => `${id} ${hash}`)],
    queryFn: () => prove(organization.id, shown),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (proof.error) return <Alert color="yellow">This browser computes hashes only over https, or at localhost.</Alert>
  if (proof.data === undefined || proof.data.newest === undefined) return null
  const { isSound, title, text } = verdictOf(proof.data)
  return (
    <Alert color={isSound ? 'teal' : 'red'} title={title} {...(!isSound && { role: 'alert' })}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {text}
          {isSound && (
            <>
              {' '}
              The newest of them is <Hash value={proof.data.newest.hash} length={12} />: keep it elsewhere, and it
              proves later that nothing up to entry {proof.data.newest.id} was changed.
            </>
          )}
        </Text>
        {!isFiltered && <WholeLog onRead={setAll} />}
      </Stack>
    </Alert>
  )
}

/** Reads the newest entries, in one response however many are written meanwhile. */
function WholeLog({ onRead }: { readonly onRead: (entries: readonly Entry[]) => void }) {
  const [read, setRead] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => () => leaving.current?.abort(), [])
  const start = async () => {
    const abort = new AbortController()
    leaving.current = abort
    setProblem(undefined)
    setRead(0)
    try {
      onRead((await readFirst(LOG, ENTRIES_MAX, { signal: abort.signal, onRead: setRead })).rows)
    } catch (error) {
      if (abort.signal.aborted) return
      setProblem((error as ApiError).message)
    }
    setRead(undefined)
  }
  return (
    <Group gap="xs" className="no-print">
      <Button size="xs" variant="default" loading={read !== undefined} onClick={() => void start()}>
        Check the whole log
      </Button>
      {read !== undefined && (
        <Text size="sm" role="status">
          {counted(read, 'entry', 'entries')} read
        </Text>
      )}
      {problem && (
        <Text size="sm" role="alert">
          {problem}
        </Text>
      )}
    </Group>
  )
}
