{{- define "library.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
spec:
  selector: {}
  template:
    spec:
      containers:
        - name: {{ .name }}
          image: {{ .root.Values.image }}
          resources:
            {{- toYaml .resources | nindent 12 }}
{{- end }}
