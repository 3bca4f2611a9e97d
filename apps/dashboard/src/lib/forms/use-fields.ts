import { useState } from 'react'
import type { ApiError } from '../../api/client.ts'
import { refusedFields } from '../../api/refusal-text.ts'

/** The fields of a form by their names, which are those of the request. */
export function useFields<T extends Record<string, string>>(initial: T) {
  const [fields, setFields] = useState(initial)
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  const set = (name: string, value: string) => {
    setFields((previous) => ({ ...previous, [name]: value }))
    setRefused(({ [name]: _, ...rest }) => rest)
  }
  const bind = (name: keyof T & string) => ({
    value: fields[name],
    error: refused[name],
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  })
  const choose = (name: keyof T & string) => ({
    value: fields[name] ?? null,
    error: refused[name],
    onChange: (value: string | null) => set(name, value ?? ''),
    allowDeselect: false,
  })
  /** Marks the fields that a refusal names; until they change. */
  const mark = (error: ApiError) => {
    const fieldOf = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
    setRefused(Object.fromEntries(Object.entries(refusedFields(error)).map(([name, text]) => [name, fieldOf(text)])))
  }
  return { fields, bind, choose, mark }
}
