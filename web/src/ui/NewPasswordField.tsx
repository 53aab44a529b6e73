import { TextField } from './Field.tsx'

/** A password that is chosen now, within what the server takes. */
export function NewPasswordField({
  label = 'Password',
  name = 'password',
  error,
}: {
  label?: string
  name?: string
  error: string | undefined
}) {
  return (
    <TextField
      label={label}
      name={name}
      type="password"
      autoComplete="new-password"
      required
      minLength={10}
      maxLength={128}
      hint="At least 10 characters. A sentence is easier to remember than a riddle."
      error={error}
    />
  )
}
