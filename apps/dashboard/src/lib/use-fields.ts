import { useState } from 'react'

export function useFields<T extends Record<string, string>>(initial: T) {
  const [fields, setFields] = useState(initial)
  const bind = (name: keyof T & string) => ({
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setFields((previous) => ({ ...previous, [name]: value }))
    },
  })
  const choose = (name: keyof T & string) => ({
    value: fields[name] ?? null,
    onChange: (value: string | null) => setFields((previous) => ({ ...previous, [name]: value ?? '' })),
    allowDeselect: false,
  })
  return { fields, bind, choose }
}
