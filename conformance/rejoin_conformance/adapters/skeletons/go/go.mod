module example.org/my-port-adapter

go 1.21
