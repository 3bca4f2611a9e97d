import type { Schema } from './types.ts'
import { useApi } from './use-api.ts'

/** The email address of a member by id; for somebody who left, only the id. */
export function useMemberNames(): (id: number) => string {
  const members = useApi<Schema<'Member'>[]>('/api/core/members')
  const emails = new Map((members.data?.data ?? []).map(({ id, email }) => [id, email]))
  return (id) => emails.get(id) ?? `member ${id}`
}
