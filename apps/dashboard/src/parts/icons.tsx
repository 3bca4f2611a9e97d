import type { ReactNode } from 'react'

/** Small line icons of our own: a library of icons would cost more than all pages together. */
function Icon({ children, size = 16 }: { readonly children: ReactNode; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export const CopyIcon = () => (
  <Icon size={14}>
    <rect x="5" y="5" width="8" height="8" rx="1.5" />
    <path d="M3 11V4a1 1 0 0 1 1-1h7" />
  </Icon>
)
export const OutIcon = () => (
  <Icon size={14}>
    <path d="M6 4H4a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1v-2M9 3h4v4M13 3L7.5 8.5" />
  </Icon>
)
export const HealthIcon = () => (
  <Icon>
    <path d="M8 13.5S2.5 10 2.5 6.2A2.7 2.7 0 0 1 8 5a2.7 2.7 0 0 1 5.5 1.2C13.5 10 8 13.5 8 13.5z" />
  </Icon>
)
export const MoreIcon = () => (
  <Icon>
    <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth={2.4} />
  </Icon>
)
export const CheckIcon = () => (
  <Icon size={14}>
    <path d="M3 8.5l3 3 7-7" />
  </Icon>
)
export const SearchIcon = () => (
  <Icon>
    <circle cx="7" cy="7" r="4" />
    <path d="M10 10l3.5 3.5" />
  </Icon>
)
export const SunIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="3" />
    <path d="M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.5 3.5l1 1M11.5 11.5l1 1M12.5 3.5l-1 1M4.5 11.5l-1 1" />
  </Icon>
)
export const MoonIcon = () => (
  <Icon>
    <path d="M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z" />
  </Icon>
)
export const PauseIcon = () => (
  <Icon>
    <path d="M6 4v8M10 4v8" />
  </Icon>
)
export const PlayIcon = () => (
  <Icon>
    <path d="M5 3.5l7 4.5-7 4.5z" />
  </Icon>
)
export const HomeIcon = () => (
  <Icon>
    <path d="M2.5 7.5L8 3l5.5 4.5V13h-11z" />
  </Icon>
)
export const WalletIcon = () => (
  <Icon>
    <rect x="2" y="4" width="12" height="9" rx="1.5" />
    <path d="M2 7h12M11 10h.5" />
  </Icon>
)
export const FlowIcon = () => (
  <Icon>
    <path d="M2 5h9l-2.5-2.5M14 11H5l2.5 2.5" />
  </Icon>
)
export const ChartIcon = () => (
  <Icon>
    <path d="M2.5 2.5v11h11M5 10l2.5-3 2 2L13 5" />
  </Icon>
)
export const BankIcon = () => (
  <Icon>
    <path d="M2 6.5L8 3l6 3.5zM3.5 7v5M8 7v5M12.5 7v5M2 13h12" />
  </Icon>
)
export const ScaleIcon = () => (
  <Icon>
    <path d="M8 3v10M4 13h8M3 5h10M3 5l-1.5 4h3zM13 5l-1.5 4h3z" />
  </Icon>
)
export const PulseIcon = () => (
  <Icon>
    <path d="M1.5 8.5h3l2-5 3 9 2-4h3" />
  </Icon>
)
export const CodeIcon = () => (
  <Icon>
    <path d="M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5" />
  </Icon>
)
export const ShieldIcon = () => (
  <Icon>
    <path d="M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z" />
  </Icon>
)
export const PeopleIcon = () => (
  <Icon>
    <circle cx="6" cy="6" r="2.5" />
    <path d="M1.5 13.5c.5-3 2.5-4 4.5-4s4 1 4.5 4M11 4a2 2 0 0 1 0 4M12.5 10c1.3.5 2 1.8 2.2 3.5" />
  </Icon>
)
export const SettingsIcon = () => (
  <Icon>
    <path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6" />
    <circle cx="10" cy="4.5" r="2" />
    <circle cx="6" cy="11.5" r="2" />
  </Icon>
)
export const LogIcon = () => (
  <Icon>
    <rect x="3" y="2" width="10" height="12" rx="1.5" />
    <path d="M5.5 5.5h5M5.5 8h5M5.5 10.5h3" />
  </Icon>
)
export const FlaskIcon = () => (
  <Icon>
    <path d="M6.5 2v4L3 12.5c-.5 1 0 1.5 1 1.5h8c1 0 1.5-.5 1-1.5L9.5 6V2M5.5 2h5" />
  </Icon>
)
export const ChangeIcon = () => (
  <Icon>
    <path d="M3 5h7.5M8 2.5L10.5 5 8 7.5M13 11H5.5M8 8.5L5.5 11 8 13.5" />
  </Icon>
)
export const BoltIcon = () => (
  <Icon>
    <path d="M9 2L4 9h3.5L7 14l5-7H8.5z" />
  </Icon>
)
