module runner-go

go 1.27.4
